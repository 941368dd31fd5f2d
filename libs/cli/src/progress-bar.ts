/** The output on which a progress bar is drawn. */
export interface ProgressTarget {
  readonly isTTY?: boolean | undefined;
  /** Characters of a line. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Characters of the bar. */
const width = 30;

/** A progress bar. Nothing is drawn if the output is not a terminal. */
export class ProgressBar {
  private done = 0;
  private shown = '';

  constructor(
    private readonly total: number,
    private readonly label: string,
    private readonly target: ProgressTarget = process.stderr,
  ) {}

  /** Passes the bytes of a stream on and advances by their number. */
  async *watch(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of input) {
      yield chunk;
      this.advance(chunk.length);
    }
  }

  /** Adds an amount to the finished part. */
  advance(amount: number): void {
    this.show(this.done + amount);
  }

  /** Sets the finished part and draws the bar with a remark at its end. @param total the amount, if unknown at first */
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
