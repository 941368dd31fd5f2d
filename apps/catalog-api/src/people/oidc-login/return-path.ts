/** A path without a second slash or a backslash at its start, which a browser reads as a host, and without control characters. */
const path = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/** Whether a redirect to a text stays on this origin. Only a plain path is accepted. */
export function isOwnPath(text: string, origin: string): boolean {
  return path.test(text) && URL.canParse(text, origin) && new URL(text, origin).origin === new URL(origin).origin;
}
