/** Where a progress bar is drawn. */
export interface ProgressTarget {
  readonly isTTY?: boolean | undefined;
  /** Characters of a line. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Characters of the bar. */
const width = 30;

/** A bar that shows how much of something is done; nothing where no person looks. */
export class ProgressBar {
  private done = 0;
  private shown = '';

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
    this.show(this.done + amount);
  }

  /** Shows that so much is done; of another whole, where that became known late, and with a remark behind the bar. */
  show(done: number, total = this.total, remark = ''): void {
    this.done = done;
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
    const filled = '#'.repeat(Math.round((width * percent) / 100));
    const bar = `${this.label} [${filled.padEnd(width)}] ${String(percent)} % ${remark}`.trimEnd();
    const line = bar.slice(0, (this.target.columns ?? 80) - 1);
    if (!this.target.isTTY || line === this.shown) return;
    this.target.write(`\r${line.padEnd(this.shown.length)}`);
    this.shown = line;
  }

  /** Ends the line of the bar. */
  end(): void {
    if (this.shown !== '') this.target.write('\n');
    this.shown = '';
  }
}
