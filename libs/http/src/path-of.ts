/** The path of a request's address, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/**
 * The address that is routed for the one in a request: its path and query alone (RFC 9112, section 3.2.2), without the
 * prefix of an ingress, and with one slash at its beginning, so that a base address may end with a slash. A path whose escapes cannot be decoded becomes one that no route
 * has, so that it is answered and logged as every other; `isDecodable` tells it from an unknown path.
 *
 * @param base the prefix without its last slash; `''` for none
 */
export function routedUrl(url: string, base: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/*/, '/');
  if (!isDecodable(path)) return `/.undecodable${path.slice(pathOf(path).length)}`;
  return withoutBase(path, base).replace(/^\/*/, '/');
}

/** Whether each `%` of the path is followed by two digits, and these are UTF-8. */
export function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(pathOf(url));
    return true;
  } catch {
    return false;
  }
}

function withoutBase(url: string, base: string): string {
  if (base === '' || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  return rest === '' || /^[/?]/.test(rest) ? `/${rest.replace(/^\//, '')}` : url;
}
