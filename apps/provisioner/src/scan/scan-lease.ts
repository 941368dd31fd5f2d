import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Records } from '../model/records.js';

/** The record of the lease below `data/`. */
const leaseFile = '.requests/scan/lease/holder.json';

/** The interval at which the holder renews the lease and other processes look at it. */
export const renewalMs = 5_000;

/** The time without a renewal after which the lease ends. */
const leaseMs = 15_000;

/**
 * The lease by which one process scans the source for all. A process that was killed loses the lease within 20 seconds.
 *
 * The record contains no times, so clocks need not agree: each process measures for how long it has seen the same
 * renewal. For a moment after a take-over two processes may hold the lease. This is harmless, because each only walks
 * deliveries and stores what it found; the next renewal ends it.
 */
@Injectable()
export class ScanLease {
  private readonly id = randomUUID();
  private renewals = 0;
  /** The end of the lease of this process, in milliseconds of its own clock. */
  private heldUntil = 0;
  /** The renewal by another process that was seen last, and when it was first seen. */
  private seen = { text: '', at: 0 };

  constructor(private readonly records: Records) {}

  /** Whether this process holds the lease. */
  isHeld(): boolean {
    return performance.now() < this.heldUntil;
  }

  /**
   * Acquires the lease if no process holds it, or renews it. To be called every `renewalMs`.
   *
   * @throws StorageFailure if the storage fails; the lease then ends unless a later call renews it
   */
  async renew(): Promise<void> {
    const calledAt = performance.now();
    const text = await this.records.read(leaseFile);
    if (text === null) await this.acquire(calledAt);
    else if (text.startsWith(this.id)) {
      await this.records.replace(leaseFile, this.nextText());
      this.heldUntil = calledAt + leaseMs;
    } else {
      this.heldUntil = 0;
      if (text !== this.seen.text) this.seen = { text, at: calledAt };
      else if (calledAt - this.seen.at >= leaseMs) {
        await this.records.removeIf(leaseFile, (present) => present === text);
        await this.acquire(calledAt);
      }
    }
  }

  /** Releases the lease if this process holds it. */
  async release(): Promise<void> {
    this.heldUntil = 0;
    await this.records.removeIf(leaseFile, (text) => text.startsWith(this.id));
  }

  private async acquire(calledAt: number): Promise<void> {
    if (await this.records.create(leaseFile, this.nextText())) this.heldUntil = calledAt + leaseMs;
  }

  private nextText(): string {
    this.renewals += 1;
    return `${this.id} ${String(this.renewals)}\n`;
  }
}
