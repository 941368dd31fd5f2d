import { RateLimitedError } from '@rdc/errors';
import { networkOf } from './address-list.js';
import { WrongKeyLimit } from './wrong-key-limit.js';

const windowMs = 60_000;

/** Maximum number of counted networks. If there are more, the oldest counts are dropped. */
const maxNetworks = 10_000;

interface Count {
  wrongKeys: number;
  /** The end of the count's minute, in milliseconds. */
  readonly endsAt: number;
}

/** A limit that counts wrong keys by network in the memory of this process, without regard to other replicas. */
export class ProcessWrongKeyLimit extends WrongKeyLimit {
  private readonly counts = new Map<string, Count>();

  /** @param perMinute maximum number of wrong keys from one network per minute; 0 for no limit */
  constructor(private readonly perMinute: number) {
    super();
  }

  recordFailure(address: string): Promise<void> {
    if (this.perMinute === 0) return Promise.resolve();
    const count = this.countOf(networkOf(address), Date.now());
    count.wrongKeys += 1;
    if (count.wrongKeys <= this.perMinute) return Promise.resolve();
    const secondsLeft = Math.max(1, Math.ceil((count.endsAt - Date.now()) / 1000));
    return Promise.reject(new RateLimitedError('wrong keys', secondsLeft));
  }

  /** Returns the count of a network. The map is in the order of the ends, so expired counts are first. */
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
