import { readFileSync, statSync } from 'node:fs';

const shownLines = 15;

/** A file to which a process appends its output. */
export class LogFile {
  private markedAt = 0;
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Records the current end of the file. */
  mark(): void {
    this.markedAt = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  private get noOutput(): string {
    return `(${this.path} contains no output of this process)`;
  }

  /** Returns the last lines that were written since the mark. */
  tail(): string {
    try {
      const text = readFileSync(this.path).subarray(this.markedAt).toString('utf8').trimEnd();
      return text === '' ? this.noOutput : text.split('\n').slice(-shownLines).join('\n');
    } catch {
      return this.noOutput;
    }
  }
}
