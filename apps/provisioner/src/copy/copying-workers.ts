import { randomUUID } from 'node:crypto';
import type { Records } from '../model/records.js';

/** The folder of the records of copying workers. */
const folder = '.requests/rates';

/** The time in milliseconds after which a worker whose record did not change has stopped copying, or was killed. */
const silentMs = 10_000;

/** The time after which the record of such a worker is removed. */
const removedMs = 10 * 60_000;

/** The text of another worker's record, and the time of this process at which the text last changed. */
interface Sight {
  readonly text: string;
  readonly at: number;
}

/**
 * The workers of all processes that copy now. Each of them changes its own record in the storage from time to time. No
 * clocks of several machines are compared.
 */
export class CopyingWorkers {
  private readonly name = `${randomUUID()}.json`;
  private readonly others = new Map<string, Sight>();
  private beat = 0;
  private isRecorded = false;

  /** @param now returns milliseconds that never decrease */
  constructor(
    private readonly records: Records,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Records whether this worker copies, and counts the workers that copy.
   *
   * @returns the number of copying workers, including this one if it copies
   */
  async count(isCopying: boolean): Promise<number> {
    await this.record(isCopying);
    const names = (await this.records.names(folder)).filter((name) => name !== this.name && name.endsWith('.json'));
    const texts = await this.records.readAll(names.map((name) => `${folder}/${name}`));
    for (const name of this.others.keys()) if (!names.includes(name)) this.others.delete(name);
    let copying = isCopying ? 1 : 0;
    for (const [index, name] of names.entries()) {
      const age = this.look(name, texts[index] ?? '');
      if (age < silentMs) copying += 1;
      if (age > removedMs) await this.records.remove(`${folder}/${name}`);
    }
    return copying;
  }

  private async record(isCopying: boolean): Promise<void> {
    this.beat += 1;
    if (isCopying) await this.records.replace(`${folder}/${this.name}`, String(this.beat));
    else if (this.isRecorded) await this.records.remove(`${folder}/${this.name}`);
    this.isRecorded = isCopying;
  }

  /** Returns the milliseconds since the record of another worker was first seen with its present text. */
  private look(name: string, text: string): number {
    const before = this.others.get(name);
    const now = this.now();
    if (before?.text === text) return now - before.at;
    this.others.set(name, { text, at: now });
    return 0;
  }
}
