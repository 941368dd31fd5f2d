import { isDigest, type Algorithm } from '../algorithms.js';
import { isInside, type Declarations, type PayloadManifest } from '../declarations.js';
import type { DescriptorReader } from '../descriptor-reader.js';
import { quoted } from '../json-document.js';
import { LineReader } from '../lines.js';
import { isFinalVersion } from './bag-rules.js';

/** The folder of a bag's payload. */
export const payloadFolder = 'data/';

/** A manifest: its path, and the meaning of its name. */
export interface Manifest {
  readonly path: string;
  readonly kind: 'payload' | 'tag';
  readonly algorithm: Algorithm;
}

/** Reads the lines of a payload or tag manifest into the declarations. The manifest of a bag in a folder is a checksum list. */
export class BagManifestReader implements DescriptorReader {
  private readonly into: Declarations;
  private readonly manifest: Manifest;
  private readonly lines: LineReader;
  /** The folder of the bag: empty, or with a slash at the end. */
  private readonly folder: string;
  /** The payload manifest of the dataset; null for a tag manifest, and for the manifest of a bag in a folder. */
  private readonly payload: PayloadManifest | null;

  constructor(into: Declarations, manifest: Manifest) {
    this.into = into;
    this.manifest = manifest;
    this.folder = manifest.path.slice(0, manifest.path.lastIndexOf('/') + 1);
    const isOwn = this.folder === '';
    const bit = 1 << into.payloadManifests.length;
    this.payload = isOwn && manifest.kind === 'payload' ? { path: manifest.path, bit, isRead: false } : null;
    if (this.payload) into.payloadManifests.push(this.payload);
    this.lines = new LineReader((line) => this.add(line), isOwn ? into.bag?.encoding : undefined);
  }

  write(bytes: Uint8Array): void {
    this.lines.write(bytes);
  }

  end(): void {
    this.lines.end();
    if (this.payload) this.payload.isRead = true;
  }

  /** Adds a line. @returns the required form of the line if the line is invalid */
  private add(line: string): string | null {
    const { into } = this;
    const bit = this.payload?.bit ?? 0;
    const { path: own, kind, algorithm } = this.manifest;
    const [, digest = '', written = ''] = /^([0-9A-Fa-f]+)[ \t]+\*?(.+)$/s.exec(line) ?? [];
    const relative = pathOf(written, into);
    const isPlaced = kind === 'tag' || relative.startsWith(payloadFolder);
    if (!isDigest(digest, algorithm) || !isPlaced || !isInside(relative))
      return `"<${algorithm}>  <path ${kind === 'tag' ? 'inside the dataset' : `below ${payloadFolder}`}>"`;
    const path = this.folder + relative;
    const isRepeated = into.files.isListed(path, bit);
    if (into.addChecksum(path, algorithm, digest, own) && isRepeated && into.bag && isFinalVersion(into.bag))
      into.invalid(own, `it lists ${quoted(path)} twice`);
    into.files.addManifest(path, bit);
    return null;
  }
}

/**
 * Returns the path that a tag file of a bag states, in which line breaks are encoded. Since version 1.0, the percent sign
 * is encoded as well.
 */
export function pathOf(written: string, { bag }: Pick<Declarations, 'bag'>): string {
  const path = written.replace(/^\.\//, '').replace(/%0A/gi, '\n').replace(/%0D/gi, '\r');
  return !bag || isFinalVersion(bag) ? path.replace(/%25/g, '%') : path;
}
