import type { Problem } from '../problem.js';

/** The algorithms a source may declare checksums in; all are computed in the copying pass. */
export const algorithms = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const;

export type Algorithm = (typeof algorithms)[number];

/** What the source says of one file. */
export interface DeclaredFile {
  /** Lower-case hexadecimal digests by algorithm. */
  readonly checksums: Partial<Record<Algorithm, string>>;
  /** Size in bytes, where the descriptor tells it. */
  readonly size?: number;
}

/** What the descriptors of a dataset say, all of them together. */
export class Declarations {
  readonly files = new Map<string, DeclaredFile>();
  readonly problems: Problem[] = [];
  title: string | null = null;
  /** Folders (with a slash at the end) in which every file must be listed, as in a bag's payload. */
  readonly completeFolders: string[] = [];
  /** Whether a bag describes the dataset: then it is complete when everything listed is there. */
  isBag = false;
  /** A bag's `Payload-Oxum`: octets and files below `data/`. */
  oxum: { readonly bytes: number; readonly files: number } | null = null;

  /** Adds a digest; two different ones of one algorithm for one file are a problem. */
  addChecksum(path: string, algorithm: Algorithm, digest: string, from: string): void {
    const known = this.files.get(path);
    const wanted = digest.toLowerCase();
    const former = known?.checksums[algorithm];
    if (former !== undefined && former !== wanted) {
      this.invalid(from, `it gives another ${algorithm} for ${path} than another descriptor`);
    }
    this.files.set(path, { ...known, checksums: { ...known?.checksums, [algorithm]: wanted } });
  }

  addSize(path: string, size: number): void {
    this.files.set(path, { checksums: {}, ...this.files.get(path), size });
  }

  invalid(descriptor: string, reason: string): void {
    this.problems.push({
      code: 'descriptor.invalid',
      path: descriptor,
      message: `${descriptor} cannot be used: ${reason}.`,
    });
  }

  /** The algorithms in use, sorted. */
  algorithms(): Algorithm[] {
    const used = new Set([...this.files.values()].flatMap(({ checksums }) => Object.keys(checksums) as Algorithm[]));
    return algorithms.filter((algorithm) => used.has(algorithm));
  }
}

const digestLengths: Readonly<Record<Algorithm, number>> = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

/** Whether the text is a digest of that algorithm, in hexadecimal. */
export function isDigest(text: string, algorithm: Algorithm): boolean {
  return text.length === digestLengths[algorithm] && /^[0-9a-f]+$/i.test(text);
}

/** The algorithm of a name such as `SHA-256` or `sha256`; undefined for one we do not know. */
export function algorithmOf(name: string): Algorithm | undefined {
  const word = name.toLowerCase().replace('-', '');
  return algorithms.find((algorithm) => algorithm === word);
}

/** Whether a descriptor's path stays inside the dataset and names no part twice removed. */
export function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && path.split('/').every((part) => !['', '.', '..'].includes(part));
}
