import { spawnSync } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether Debian's `faketime` is on this machine. */
export const hasFaketime = spawnSync('faketime', ['--version']).status === 0;

/** What o'clock it is for the processes that are started with its settings; how time passes stays as it is. */
export class ShiftedClock {
  private constructor(private readonly file: string) {}

  /** The true time at first. @param folder holds the file that says by how much it is shifted */
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

  /** @param by such as `+1d` */
  async shift(by: string): Promise<void> {
    await writeFile(`${this.file}.new`, `${by}\n`);
    await rename(`${this.file}.new`, this.file);
  }
}
