/** The largest id there can be: ids are of the type `integer`. */
export const maxId = 2 ** 31 - 1;

/** Whether a text can be an id: digits only, and not too many. */
export function canBeId(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= maxId;
}
