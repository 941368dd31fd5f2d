/** Headers of a message in their original order: name, value, name, value, … */
export type FlatHeaders = readonly string[];

/**
 * Headers that concern one connection only and are never forwarded (RFC 9110, section 7.6.1). The framing of the body
 * is derived again for the next connection. Upgrades and trailers are not forwarded, and neither are their headers.
 */
const connectionHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'http2-settings', 'expect'],
]);

/** Returns the headers as pairs of name and value, with the names as they were written. */
export function pairsOf(headers: FlatHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < headers.length; index += 2) {
    pairs.push([headers[index] ?? '', headers[index + 1] ?? '']);
  }
  return pairs;
}

/** Returns the values of every header with this lower-case name. */
export function valuesOf(headers: FlatHeaders, name: string): string[] {
  return pairsOf(headers).flatMap(([each, value]) => (each.toLowerCase() === name ? [value] : []));
}

/** Returns the options of the header `Connection` in lower case. */
export function connectionOptions(headers: FlatHeaders): string[] {
  const values = valuesOf(headers, 'connection').flatMap((value) => value.split(','));
  return values.map((option) => option.trim().toLowerCase()).filter((option) => option !== '');
}

/**
 * Returns the headers that are forwarded: all but those of the connection.
 *
 * @param keep decides on every other header by its lower-case name
 */
export function withoutConnectionHeaders(
  headers: FlatHeaders,
  keep: (lowerCaseName: string) => boolean = () => true,
): string[] {
  const isForwarded = ([name]: [string, string]): boolean =>
    !connectionHeaders.has(name.toLowerCase()) && keep(name.toLowerCase());
  return pairsOf(headers).filter(isForwarded).flat();
}
