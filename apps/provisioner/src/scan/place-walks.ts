import { Injectable } from '@nestjs/common';
import { Semaphore } from '../concurrency/semaphore.js';
import { CoalescedCall } from '../model/coalesced-call.js';
import { keyOfPlace } from '../model/place-summary.js';
import type { SourcePlace } from '../model/source-system.js';
import { PlaceScanner } from '../source/place-scanner.js';
import type { DeclaredSummary } from '../source/place-summary.js';
import type { ScanReport } from '../source/scan-reports.js';

/** Requested walks at the same time, in addition to those of the background. */
const requestedWalks = 8;

/** The walks of places by this process. Reads the descriptors of a place again only if the place has changed. */
@Injectable()
export class PlaceWalks {
  private readonly permits = new Semaphore(requestedWalks);
  private readonly calls = new Map<string, { readonly call: CoalescedCall<ScanReport>; callers: number }>();
  /** The declarations of the places when their descriptors were last read, by `keyOfPlace`. */
  private readonly declared = new Map<string, DeclaredSummary>();

  constructor(private readonly scanner: PlaceScanner) {}

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

  /** Forgets the declarations of places that no longer exist. */
  forgetExcept(keys: ReadonlySet<string>): void {
    for (const key of this.declared.keys()) if (!keys.has(key)) this.declared.delete(key);
  }

  private async walk(place: SourcePlace, key: string): Promise<ScanReport> {
    const { summary, declared } = await this.scanner.summarise(place, this.declared.get(key));
    this.declared.set(key, declared);
    const { isCompleteBag, description } = declared;
    const { changedAt } = summary;
    const readyFrom = await this.scanner.readyFrom(place, { changedAt, isCompleteBag });
    return { place, summary: { ...summary, readyFrom }, ...(place.kind === 'submission' && { description }) };
  }
}
