import { algorithmOf, type Algorithm } from '../algorithms.js';

/** The meaning of the name of a checksum list. */
export interface ListName {
  /** Null if the lines determine the algorithm. */
  readonly algorithm: Algorithm | null;
  /** The name of the file next to the list that a digest without a path belongs to; null if there is none. */
  readonly stem: string | null;
}

const algorithm = '(md5|sha[-_]?(?:1|224|256|384|512))';

/** Names of lists that state their algorithm, such as `SHA256SUMS`, `md5_checksums.txt` or `checksums.md5`. */
const namedLists = [
  new RegExp(`^${algorithm}(?:[-_.]?(?:check)?sums?)?(?:\\.txt)?$`, 'i'),
  new RegExp(`^(?:checksums?|manifest)[-_.]${algorithm}(?:sums?)?(?:\\.txt)?$`, 'i'),
];

/** Names of lists whose digests determine the algorithm, such as `CHECKSUM` or `SHASUMS256.txt`. */
const otherLists = /^(?:checksums?|shasums?(?:1|224|256|384|512)?)(?:\.txt)?$/i;

/** Names of a file followed by an algorithm, such as `reads.fastq.gz.md5` or `run42.sha256sum.txt`. */
const sideFile = new RegExp(`^(.+)\\.${algorithm}(?:sums?)?(?:\\.txt)?$`, 'i');

/** Returns the meaning of the name of a checksum list; null for any other name. */
export function listNamed(name: string): ListName | null {
  if (isAppleDouble(name)) return null;
  for (const pattern of namedLists) {
    const [, word] = pattern.exec(name) ?? [];
    if (word !== undefined) return { algorithm: algorithmOf(word) ?? null, stem: null };
  }
  if (otherLists.test(name)) return { algorithm: null, stem: null };
  const [, stem, word] = sideFile.exec(name) ?? [];
  if (stem === undefined || word === undefined) return null;
  return { algorithm: algorithmOf(word) ?? null, stem };
}

/** A word of a file name that stands for checksums. */
const checksumWord =
  /^(?:(?:md[245]|sha\d+|blake[23][a-z]*\d*|b[23]|crc|xxh\w*|ck|hash|check)sums?|md[245]|sha\d+|blake[23][a-z]*\d*|crc(?:32c?|64)|xxh\d+|adler32|whirlpool|ripemd160|sfv)$/;

/** Words that stand for checksums as the extension of a file only. */
const checksumExtension = /^(?:b[23]|b[23]sum|crc|sfv|xxh\w*|sha|hash)$/;

const textExtensions = new Set(['txt', 'asc', 'sig', 'gpg', 'csv', 'tsv', 'lst', 'list', 'json', 'xml', 'gz']);

/** Whether a name looks like that of a checksum list. To be called for names that are not those of readable lists. */
export function looksLikeList(name: string): boolean {
  if (isAppleDouble(name)) return false;
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const extension = name.includes('.') ? (words.at(-1) ?? '') : '';
  if (checksumWord.test(extension) || checksumExtension.test(extension)) return true;
  // SHA3-256 and SHA512-256 are split into two words.
  return (extension === '' || /^\d+$/.test(extension) || textExtensions.has(extension)) && words.some(isChecksumWord);
}

function isChecksumWord(word: string): boolean {
  return checksumWord.test(word);
}

/** Whether a name is that of the file in which macOS keeps the attributes of another file. */
function isAppleDouble(name: string): boolean {
  return name.startsWith('._');
}
