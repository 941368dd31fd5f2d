/** The algorithms of declared checksums. A copy computes those that are declared. */
export const algorithms = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const;

export type Algorithm = (typeof algorithms)[number];

/** The length of a digest in bytes. */
export const digestBytes: Readonly<Record<Algorithm, number>> = {
  md5: 16,
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};

/** Whether a text is a hexadecimal digest of the algorithm. */
export function isDigest(text: string, algorithm: Algorithm): boolean {
  return text.length === 2 * digestBytes[algorithm] && /^[0-9a-f]+$/i.test(text);
}

/** Returns the algorithm of a name such as `SHA-256`, `sha_256` or `SHA2-256`; undefined if it is not supported. */
export function algorithmOf(name: string): Algorithm | undefined {
  const word = name
    .toLowerCase()
    .replace(/^sha2-/, 'sha')
    .replace(/[-_]/, '');
  return algorithms.find((algorithm) => algorithm === word);
}

/** Returns the algorithm whose digests have the length of a hexadecimal digest. */
export function algorithmByLength(digest: string): Algorithm | undefined {
  return algorithms.find((algorithm) => digest.length === 2 * digestBytes[algorithm]);
}
