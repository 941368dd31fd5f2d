/** The algorithms of manifests, in the form of `md5sum -c`, `sha256sum -c` and so on. */
export const manifestAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const;

export type ManifestAlgorithm = (typeof manifestAlgorithms)[number];

/** The length of a digest in bytes. */
export const manifestDigestBytes: Readonly<Record<ManifestAlgorithm, number>> = {
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha512: 64,
};
