import { spawnSync } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether Debian's `faketime` is installed. */
export const hasFaketime = spawnSync('faketime', ['--version']).status === 0;

/** A shifted wall clock for processes that are started with its settings. The monotonic clock is not shifted. */
export class ShiftedClock {
  private constructor(private readonly file: string) {}

  /** Creates a clock with a shift of zero. @param folder of the file with the shift */
  static async in(folder: string): Promise<ShiftedClock> {
    const clock = new ShiftedClock(join(folder, 'clock'));
    await clock.shift('+0');
    return clock;
  }

  get settings(): Record<string, string> {
    return {
      LD_PRELOAD: '/usr/$LIB/faketime/libfaketimeMT.so.1',
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Shifts the clock. @param by such as `+1d` */
  async shift(by: string): Promise<void> {
    await writeFile(`${this.file}.new`, `${by}\n`);
    await rename(`${this.file}.new`, this.file);
  }
}
