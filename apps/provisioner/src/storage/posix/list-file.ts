import { createHash, type Hash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';

/** The list grows until it is published: its own account must be able to write to it till then. */
const listMode = 0o640;

/** Text that is kept before it is written. */
const keptCharacters = 256 * 1024;

/** A list that is written while it grows, by its path, and its digest. */
export class ListFile {
  private readonly digest: Hash = createHash('sha256');
  private kept = '';

  constructor(readonly path: string) {}

  async add(lines: string): Promise<void> {
    this.kept += lines;
    if (this.kept.length >= keptCharacters) await this.write();
  }

  /** Writes the rest. @returns the SHA-256 of the whole, hexadecimal */
  async finish(): Promise<string> {
    await this.write();
    return this.digest.digest('hex');
  }

  private async write(): Promise<void> {
    const lines = this.kept;
    this.kept = '';
    this.digest.update(lines);
    await appendFile(this.path, lines, { mode: listMode });
  }
}
