/** Every service key begins with this text, so that a search through files and logs finds a leaked key. */
export const serviceKeyPrefix = 'rdcs_';

/** Characters of a service key after its prefix. No endpoint key (64 characters) and no user key is as long in all. */
export const serviceKeyRandomLength = 48;

const form = new RegExp(`^${serviceKeyPrefix}[A-Za-z0-9]{${String(serviceKeyRandomLength)}}$`);

/** Whether a text has the form of a service key, which no other kind of stored key has. */
export function isServiceKey(text: string): boolean {
  return form.test(text);
}
