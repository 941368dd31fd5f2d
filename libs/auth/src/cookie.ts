/** A cookie that only servers read, sent with requests from our own pages and with links that lead to us. */
export interface ServerCookie {
  readonly name: string;
  /** Characters of a token only: letters, digits, `-`, `_` and `.`. */
  readonly value: string;
  /** After how many seconds the browser forgets it; 0 removes it. */
  readonly maxAgeSeconds: number;
}

/**
 * The name under which a cookie travels. By https it carries the prefix that keeps other hosts of the same domain from
 * setting it.
 *
 * @param origin where the request was served from, e.g. `https://catalog.example.org`
 */
export function cookieNameAt(origin: string, name: string): string {
  return isHttps(origin) ? `__Host-${name}` : name;
}

/** The value of the header `Set-Cookie`. By https the cookie never travels in clear. */
export function setCookieAt(origin: string, { name, value, maxAgeSeconds }: ServerCookie): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${String(maxAgeSeconds)}`];
  if (isHttps(origin)) attributes.push('Secure');
  return [`${cookieNameAt(origin, name)}=${value}`, ...attributes].join('; ');
}

/** A cookie of a request; null when it is not there, empty, or there twice, for then one of them is not ours. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] ? values[0] : null;
}

function isHttps(origin: string): boolean {
  return origin.startsWith('https:');
}
