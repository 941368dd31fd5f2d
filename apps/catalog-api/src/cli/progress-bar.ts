/** Where a progress bar is drawn. */
export interface ProgressTarget {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Characters of the bar. */
const width = 30;

/** A bar that shows how much of some bytes was read; nothing where no person looks. */
export class ProgressBar {
  private done = 0;
  private shown = -1;

  constructor(
    private readonly total: number,
    private readonly label: string,
    private readonly target: ProgressTarget = process.stderr,
  ) {}

  /** Passes bytes on, and shows how far they are. */
  async *watch(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of input) {
      yield chunk;
      this.advance(chunk.length);
    }
  }

  /** Notes that so much more is done. */
  advance(amount: number): void {
    this.done += amount;
    const percent = this.total === 0 ? 100 : Math.floor((100 * this.done) / this.total);
    if (!this.target.isTTY || percent === this.shown) return;
    this.shown = percent;
    const filled = '#'.repeat(Math.round((width * percent) / 100));
    this.target.write(`\r${this.label} [${filled.padEnd(width)}] ${String(percent)} %`);
  }

  /** Ends the line of the bar. */
  end(): void {
    if (this.shown >= 0) this.target.write('\n');
  }
}
