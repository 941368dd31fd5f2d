import { Injectable } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import { ProvisionerSettings } from '../settings.js';

/** Holds verifications of this process back to `FIXITY_RATE_LIMIT` bytes a second, all of them together. */
@Injectable()
export class ReadPace {
  private readonly bytesPerMs: number;
  /** When all that was read so far has its time. */
  private paidUntil = 0;

  constructor({ FIXITY_RATE_LIMIT }: ProvisionerSettings) {
    this.bytesPerMs = (FIXITY_RATE_LIMIT ?? Number.POSITIVE_INFINITY) / 1000;
  }

  /** Waits until so many bytes more may have been read. @throws the reason of the signal */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const now = performance.now();
    this.paidUntil = Math.max(this.paidUntil, now) + bytes / this.bytesPerMs;
    const ahead = this.paidUntil - now;
    if (ahead >= 1) await setTimeout(ahead, undefined, { signal });
  }
}
