import { createHash, type Hash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';

/** The mode of an unpublished list, which the service still appends to. */
const listMode = 0o640;

/** The length of the text that is collected before a write. */
const bufferedCharacters = 256 * 1024;

/** A list that is appended to by path, and its digest. */
export class ListFile {
  private readonly digest: Hash = createHash('sha256');
  private buffered = '';

  constructor(readonly path: string) {}

  async add(lines: string): Promise<void> {
    this.buffered += lines;
    if (this.buffered.length >= bufferedCharacters) await this.write();
  }

  /** Writes the buffered lines. @returns the hexadecimal SHA-256 of the whole list */
  async finish(): Promise<string> {
    await this.write();
    return this.digest.digest('hex');
  }

  private async write(): Promise<void> {
    const lines = this.buffered;
    this.buffered = '';
    this.digest.update(lines);
    await appendFile(this.path, lines, { mode: listMode });
  }
}
