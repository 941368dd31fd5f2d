import { RateLimitedError } from '@rdc/errors';
import { networkOf } from './address-list.js';
import { WrongKeyLimit } from './wrong-key-limit.js';

const windowMs = 60_000;

/** Networks counted at once; whoever tries from more of them makes the oldest counts be forgotten. */
const maxNetworks = 10_000;

interface Count {
  wrongKeys: number;
  /** When it begins anew, in milliseconds. */
  readonly endsAt: number;
}

/** Counts wrong keys by network in the memory of this process, for a service that shares no store with its replicas. */
export class ProcessWrongKeyLimit extends WrongKeyLimit {
  private readonly counts = new Map<string, Count>();

  /** @param perMinute wrong keys from one network in a minute that are answered as what they are; 0: any number */
  constructor(private readonly perMinute: number) {
    super();
  }

  note(address: string): Promise<void> {
    if (this.perMinute === 0) return Promise.resolve();
    const count = this.countOf(networkOf(address), Date.now());
    count.wrongKeys += 1;
    if (count.wrongKeys <= this.perMinute) return Promise.resolve();
    const secondsLeft = Math.max(1, Math.ceil((count.endsAt - Date.now()) / 1000));
    return Promise.reject(new RateLimitedError('wrong keys', secondsLeft));
  }

  /** Counts stand in the order in which they began, and so in which they end. */
  private countOf(network: string, now: number): Count {
    for (const [each, { endsAt }] of this.counts) {
      if (endsAt > now && this.counts.size < maxNetworks) break;
      this.counts.delete(each);
    }
    const count = this.counts.get(network) ?? { wrongKeys: 0, endsAt: now + windowMs };
    this.counts.set(network, count);
    return count;
  }
}
