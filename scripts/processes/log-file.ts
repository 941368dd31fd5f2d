import { readFileSync, statSync } from 'node:fs';

const shownLines = 15;

/** A file that a process appends its output to. */
export class LogFile {
  private markedAt = 0;
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Notes its present end. */
  mark(): void {
    this.markedAt = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The last lines written since the mark. */
  tail(): string {
    try {
      const text = readFileSync(this.path).subarray(this.markedAt).toString('utf8').trimEnd();
      return text === '' ? `(it wrote nothing to ${this.path})` : text.split('\n').slice(-shownLines).join('\n');
    } catch {
      return `(it wrote nothing to ${this.path})`;
    }
  }
}
