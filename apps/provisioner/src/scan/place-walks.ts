import { Injectable } from '@nestjs/common';
import { Semaphore } from '../concurrency/semaphore.js';
import { CoalescedCall } from '../model/coalesced-call.js';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { SourcePlace } from '../model/source-system.js';
import { PlaceScanner } from '../source/place-scanner.js';
import type { DeclaredSummary } from '../source/place-summary.js';
import type { ScanReport } from '../source/scan-reports.js';
import { WalkHistory } from './walk-history.js';

/** Requested walks at the same time, in addition to those of the background. */
const requestedWalks = 8;

/** The last walk of a place by this process. */
interface LastWalk extends Pick<PlaceSummary, 'fingerprint' | 'unchangedSince'> {
  /** The declarations when the descriptors were last read. */
  readonly declared: DeclaredSummary;
}

/** The walks of places by this process. Reads the descriptors of a place again only if the place has changed. */
@Injectable()
export class PlaceWalks {
  private readonly permits = new Semaphore(requestedWalks);
  private readonly calls = new Map<string, { readonly call: CoalescedCall<ScanReport>; callers: number }>();
  /** The last walks of this process, by `keyOfPlace`. */
  private readonly last = new Map<string, LastWalk>();

  constructor(
    private readonly scanner: PlaceScanner,
    private readonly history: WalkHistory,
  ) {}

  /** Walks a place because of a request. The walk starts after the call; concurrent callers share it. */
  requested(place: SourcePlace): Promise<ScanReport> {
    return this.permits.run(() => this.run(place));
  }

  /** Walks a place, as `requested` does, without a limit of concurrent walks. */
  async run(place: SourcePlace): Promise<ScanReport> {
    const key = keyOfPlace(place);
    const shared = this.calls.get(key) ?? { call: new CoalescedCall(() => this.walk(place, key)), callers: 0 };
    this.calls.set(key, shared);
    shared.callers += 1;
    try {
      return await shared.call.run();
    } finally {
      shared.callers -= 1;
      if (shared.callers === 0) this.calls.delete(key);
    }
  }

  /** Forgets the walks of places that no longer exist. */
  forgetExcept(keys: ReadonlySet<string>): void {
    for (const key of this.last.keys()) if (!keys.has(key)) this.last.delete(key);
  }

  private async walk(place: SourcePlace, key: string): Promise<ScanReport> {
    const last = this.last.get(key);
    const { summary, declared } = await this.scanner.summarise(place, last?.declared);
    const { isCompleteBag, description } = declared;
    const previous = last ?? (await this.history.find(place));
    const settling = await this.scanner.settlingOf(place, { ...summary, isCompleteBag }, previous);
    this.last.set(key, { declared, fingerprint: summary.fingerprint, unchangedSince: settling.unchangedSince });
    return { place, summary: { ...summary, ...settling }, ...(place.kind === 'submission' && { description }) };
  }
}
