import { Injectable } from '@nestjs/common';
import { readRecord, Records } from '../model/records.js';

/** Where it is below `data/`: a folder for each day, with a name for each dataset verified on it. */
const root = '.requests/fixity';
const checked = `${root}/checked`;
const dayMs = 86_400_000;
const creditFile = `${root}/credit.json`;

/** How much may be verified now. */
export interface Credit {
  /** When it was last counted, ISO 8601. */
  readonly at: string;
  /** Bytes; less than nothing after a dataset larger than what was left. */
  readonly bytes: number;
}

/** Keeps in storage when which dataset was verified, so that it takes one listing a day to know of all. */
@Injectable()
export class FixityLog {
  /** The names of days that are over. */
  private readonly past = new Map<string, readonly string[]>();

  constructor(private readonly records: Records) {}

  /** Notes that a dataset was verified now, whatever was found, were it that its files cannot be compared. */
  async recordCheck(id: string, now = new Date()): Promise<void> {
    await this.records.create(`${checked}/${dayOf(now)}/${id}`, '');
  }

  /** The day of the latest verification of each dataset, as `2026-11-21`. */
  async lastChecks(): Promise<ReadonlyMap<string, string>> {
    const last = new Map<string, string>();
    for (const day of await this.records.names(checked)) for (const id of await this.checkedOn(day)) last.set(id, day);
    return last;
  }

  /** Forgets what was noted before a day. */
  async removeBefore(day: string): Promise<void> {
    for (const each of await this.records.names(checked)) {
      if (each >= day) return;
      this.past.delete(each);
      for (const id of await this.records.names(`${checked}/${each}`))
        await this.records.remove(`${checked}/${each}/${id}`);
    }
  }

  /** Listed once when the day is over. Not before the next has passed too: some worker's clock may be behind. */
  private async checkedOn(day: string): Promise<readonly string[]> {
    const known = this.past.get(day);
    if (known) return known;
    const ids = await this.records.names(`${checked}/${day}`);
    if (day < dayOf(new Date(Date.now() - dayMs))) this.past.set(day, ids);
    return ids;
  }

  credit(): Promise<Credit | null> {
    return readRecord<Credit>(this.records, creditFile);
  }

  async saveCredit(credit: Credit): Promise<void> {
    await this.records.write(creditFile, JSON.stringify(credit));
  }
}

/** The day of an instant, in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
