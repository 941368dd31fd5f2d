/** The beginning of every service key, by which a search through files and logs finds a leaked key. */
export const serviceKeyPrefix = 'rdcs_';

/** Number of characters after the prefix. The total length differs from that of endpoint keys (64) and user keys. */
export const serviceKeyRandomLength = 48;

const form = new RegExp(`^${serviceKeyPrefix}[A-Za-z0-9]{${String(serviceKeyRandomLength)}}$`);

/** Returns whether a text has the form of a service key. No other kind of stored key has this form. */
export function isServiceKey(text: string): boolean {
  return form.test(text);
}
