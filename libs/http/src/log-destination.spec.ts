import { LogDestination, type LogWriter, type LostLines } from './log-destination.js';
import { createLogger } from './logger.js';

const bounds = { maxBytes: 100, retryMs: 5, blockedMs: 10 };

/** A disk that is full while `error` is set, and that accepts at most `atOnce` bytes in one call. */
class Disk implements LogWriter {
  text = '';
  error: Error | null = null;
  atOnce = Number.POSITIVE_INFINITY;
  calls = 0;

  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void {
    this.calls += 1;
    setImmediate(() => {
      if (this.error) {
        done(this.error, 0);
        return;
      }
      done(null, this.writeNow(bytes));
    });
  }

  writeNow(bytes: Buffer): number {
    if (this.error) throw this.error;
    const written = bytes.subarray(0, this.atOnce);
    this.text += written.toString();
    return written.length;
  }
}

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

describe(LogDestination.name, () => {
  let disk: Disk;
  let losses: LostLines[];
  let destination: LogDestination;

  beforeEach(() => {
    disk = new Disk();
    losses = [];
    destination = new LogDestination(disk, (lost) => losses.push(lost), bounds);
  });

  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await turn();
  };

  it('should write every line in order when a call writes a part of them', async () => {
    disk.atOnce = 3;
    for (let line = 0; line < 8; line += 1) destination.write(`line ${String(line)}\n`);
    await until(() => disk.text.endsWith('line 7\n'));
    expect(disk.text).toBe(Array.from({ length: 8 }, (_, line) => `line ${String(line)}\n`).join(''));
    expect(losses).toEqual([]);
  });

  it('should not drop the report of lost lines when as many lines as possible wait', async () => {
    destination = new LogDestination(
      disk,
      ({ count }) => {
        destination.write(`${String(count)} lost\n`);
      },
      bounds,
    );
    disk.error = full;
    destination.write('the line that is being written\n');
    for (let line = 0; line < 100; line += 1) destination.write(`line ${String(line).padStart(3, '0')}\n`);
    disk.error = null;
    await until(() => disk.text.includes('lost\n'));
    expect(disk.text).toMatch(/line 010\n89 lost\n$/);
  });

  it('should keep the first lines and report the number of dropped lines when the disk was full', async () => {
    disk.error = full;
    for (let line = 0; line < 1000; line += 1) destination.write(`line ${String(line).padStart(4, '0')}\n`);
    await turn();
    for (let line = 0; line < 1000; line += 1) destination.write('dropped as well\n');
    disk.error = null;
    await until(() => losses.length > 0 && disk.text.includes('line 0001'));
    const kept = disk.text.trim().split('\n');
    expect(kept.slice(0, 2)).toEqual(['line 0000', 'line 0001']);
    expect(disk.text.length).toBeLessThanOrEqual(3 * bounds.maxBytes);
    await turn();
    expect(losses[0]?.reason).toContain('ENOSPC');
    expect((losses[0]?.count ?? 0) + disk.text.trim().split('\n').length).toBe(2000);
  });

  it('should retry once per pause when the disk is full', async () => {
    disk.error = full;
    destination = new LogDestination(disk, (lost) => losses.push(lost), { ...bounds, retryMs: 60_000 });
    for (let line = 0; line < 50; line += 1) {
      destination.write('a line\n');
      await turn();
    }
    expect(disk.calls).toBe(1);
  });
});

describe(createLogger.name, () => {
  it('should report the number of lost lines when the log can be written again', async () => {
    const disk = new Disk();
    disk.error = full;
    const logger = createLogger('info', disk);
    const long = 'x'.repeat(1024);
    for (let line = 0; line < 3000; line += 1) logger.info(long);
    await turn();
    disk.error = null;
    while (!disk.text.includes('log lines lost')) await turn();
    const last = JSON.parse(disk.text.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(last).toMatchObject({ level: 'error', reason: full.message });
    expect(last['msg']).toBe('log lines lost: the log could not be written');
  });
});
