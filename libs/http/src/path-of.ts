/** Returns the path of a URL without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/**
 * Returns the path and query that are routed for a request target (RFC 9112, section 3.2.2), without the prefix of an
 * ingress and with one slash at the beginning. A path that cannot be decoded is replaced by a path without a route, so
 * that it is answered and logged like other requests; `isDecodable` distinguishes it from an unknown path.
 *
 * @param base the prefix without a slash at its end; `''` for none
 */
export function routedUrl(url: string, base: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/*/, '/');
  if (!isDecodable(path)) return `/.undecodable${path.slice(pathOf(path).length)}`;
  return withoutBase(path, base).replace(/^\/*/, '/');
}

/**
 * Returns the URL that answers in the place of an alias, with the same query; the URL itself if it is no alias.
 *
 * @param aliases the paths by alias, without a slash at their ends
 */
export function withoutAlias(url: string, aliases: ReadonlyMap<string, string>): string {
  const path = pathOf(url);
  const target = aliases.get(path.replace(/\/$/, ''));
  return target === undefined ? url : `${target}${url.slice(path.length)}`;
}

/** Returns whether the path of a URL can be decoded as UTF-8. */
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
