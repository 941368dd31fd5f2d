/** A cookie that scripts cannot read. Browsers send it with requests of the same site and with links to the site. */
export interface ServerCookie {
  readonly name: string;
  /** Letters, digits, `-`, `_` and `.` only. */
  readonly value: string;
  /** Time after which the browser removes the cookie; 0 removes the cookie at once. */
  readonly maxAgeSeconds: number;
}

/**
 * Returns the name of a cookie in requests and responses. Over https, the name has the prefix `__Host-`, which prevents
 * other hosts of the same domain from setting the cookie.
 *
 * @param origin the origin of the service as the client sees it, e.g. `https://catalog.example.org`
 */
export function cookieNameAt(origin: string, name: string): string {
  return isHttps(origin) ? `__Host-${name}` : name;
}

/** Returns the value of the header `Set-Cookie`. Over https, the cookie is `Secure`. */
export function setCookieAt(origin: string, { name, value, maxAgeSeconds }: ServerCookie): string {
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${String(maxAgeSeconds)}`];
  if (isHttps(origin)) attributes.push('Secure');
  return [`${cookieNameAt(origin, name)}=${value}`, ...attributes].join('; ');
}

/** Returns the value of a cookie; null if the cookie is absent, empty or repeated. A repeated cookie may be forged. */
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
