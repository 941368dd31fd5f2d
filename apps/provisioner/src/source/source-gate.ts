import { ImportFailure } from '../model/failure.js';
import { SourceFailure, type SourcePlace, type SourceSystem } from '../model/source-system.js';
import { doubtAbout, type SourceSight } from '../model/source-sight.js';
import type { Subject } from '../model/identifier.js';

/**
 * The time for which a worker that does not see a delivery takes no jobs, and after which an import whose delivery no
 * worker sees fails. Long enough for another worker to become free, or for an operator to mount the source.
 */
export const doubtMs = 60 * 60_000;

/** A reason why this process may not see the source. */
export interface SourceDoubt {
  readonly reason: string;
  /** Whether the source cannot be read at all, or has another identity than `SOURCE_IDENTITY`. */
  readonly isCertain: boolean;
}

/** An import cannot run on this worker, because the worker does not see the delivery. Another worker may see it. */
export class UnseenSourceFailure extends ImportFailure {
  constructor(
    readonly doubt: SourceDoubt,
    cause?: unknown,
  ) {
    super('source.unavailable', doubt.reason, [], cause);
  }
}

/** A delivery that another process has seen and this process does not see. */
interface Unseen {
  readonly subject: Subject;
  readonly sight: SourceSight;
  readonly until: number;
}

/** The check that this process sees the source, and sees the same source as the process that accepted an import. */
export class SourceGate {
  private unseen: Unseen | null = null;

  constructor(private readonly source: SourceSystem) {}

  /** Checks that this process may work on imports. @throws SourceFailure with the reason if it does not see the source */
  async check(): Promise<void> {
    await this.source.probe();
    if (this.unseen && performance.now() > this.unseen.until) this.unseen = null;
    const reason = this.unseen && (await this.compare(this.unseen.subject, this.unseen.sight));
    if (reason !== null) throw new SourceFailure(reason, undefined);
    this.unseen = null;
  }

  /**
   * Returns why this process may not see the delivery of an import.
   *
   * @param sight the delivery as the service has seen it; undefined if the request does not state it
   * @returns null if this process sees the source, so that a missing delivery was removed
   */
  async doubtAbout(subject: Subject, sight: SourceSight | undefined): Promise<SourceDoubt | null> {
    try {
      await this.source.probe();
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      return { reason: error.message, isCertain: true };
    }
    const reason = sight ? await this.compare(subject, sight) : null;
    if (!sight || reason === null) return null;
    this.unseen ??= { subject, sight, until: performance.now() + doubtMs };
    return { reason, isCertain: false };
  }

  private async compare({ kind, id }: Subject, { submission, folders }: SourceSight): Promise<string | null> {
    const place: SourcePlace = { kind, submission, id };
    const doubt = doubtAbout(folders, await this.source.foldersTo(place));
    return doubt === null ? null : `${doubt}: ${id} is not visible to this worker; check its mount of the source.`;
  }
}
