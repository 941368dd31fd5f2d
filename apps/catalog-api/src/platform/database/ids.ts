/** The largest id. Ids have the type `integer` in the database. */
export const maxId = 2 ** 31 - 1;

/** Whether a text consists of digits only and is at most `maxId`. */
export function canBeId(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= maxId;
}
