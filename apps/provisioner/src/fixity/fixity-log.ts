import { Injectable } from '@nestjs/common';
import { readRecord, Records } from '../model/records.js';

/** The folder below `data/`. It has a folder for each day, with a record for each dataset verified on that day. */
const root = '.requests/fixity';
const checked = `${root}/checked`;
const dayMs = 86_400_000;
const creditFile = `${root}/credit.json`;

/** The number of bytes that may be verified now. */
export interface Credit {
  /** The time of the last update, ISO 8601. */
  readonly at: string;
  /** The remaining credit. It is negative if the last verified dataset was larger than the credit. */
  readonly bytes: number;
}

/** A log in storage of the days on which datasets were verified. One listing for each day reads all of it. */
@Injectable()
export class FixityLog {
  /** The dataset ids of past days, by day. */
  private readonly past = new Map<string, readonly string[]>();

  constructor(private readonly records: Records) {}

  /** Records that a dataset was verified now, whatever the result. */
  async recordCheck(id: string, now = new Date()): Promise<void> {
    await this.records.create(`${checked}/${dayOf(now)}/${id}`, '');
  }

  /** Returns the day of the latest verification of each dataset, as `2026-11-21`. */
  async lastChecks(): Promise<ReadonlyMap<string, string>> {
    const last = new Map<string, string>();
    for (const day of await this.records.names(checked)) for (const id of await this.checkedOn(day)) last.set(id, day);
    return last;
  }

  /** Removes the records of all days before a day. */
  async removeBefore(day: string): Promise<void> {
    for (const pastDay of await this.records.names(checked)) {
      if (pastDay >= day) return;
      this.past.delete(pastDay);
      for (const id of await this.records.names(`${checked}/${pastDay}`))
        await this.records.remove(`${checked}/${pastDay}/${id}`);
    }
  }

  /** Lists a day. A listing is cached once the following day is over too, because a worker's clock may be slow. */
  private async checkedOn(day: string): Promise<readonly string[]> {
    const cached = this.past.get(day);
    if (cached) return cached;
    const ids = await this.records.names(`${checked}/${day}`);
    if (day < dayOf(new Date(Date.now() - dayMs))) this.past.set(day, ids);
    return ids;
  }

  /** Returns the saved credit, or null if none was saved. */
  credit(): Promise<Credit | null> {
    return readRecord<Credit>(this.records, creditFile);
  }

  async saveCredit(credit: Credit): Promise<void> {
    await this.records.write(creditFile, JSON.stringify(credit));
  }
}

/** Returns the day of an instant, in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
