import { ImportFailure } from '../model/failure.js';
import { duplicateInSource } from '../model/id-collision.js';
import type { Subject } from '../model/identifier.js';
import type { ImportPlan } from '../model/import-plan.js';
import type { Problem } from '../model/problem.js';
import { summaryOfScan } from '../source/place-summary.js';
import type { ScanResult } from '../source/place-scan.js';
import type { PlaceScanner } from '../source/place-scanner.js';
import type { SourceAccess } from '../scan/source-access.js';
import type { SourceIndex } from '../source/source-index.js';
import type { SourcePlace } from '../model/source-system.js';
import { fits, type SpacePlan } from '../model/space-plan.js';

/** A place that was walked for a plan or an import. */
export interface WalkedDelivery {
  readonly place: SourcePlace;
  readonly scan: ScanResult;
  /** The start of the walk, ISO 8601. */
  readonly scannedAt: string;
  /** See `SourceSystem.topOf`, before the walk. */
  readonly top: string;
  /** See `PlaceSummary`. */
  readonly unchangedSince: string;
  /** The time from which the delivery counts as complete, in milliseconds since 1970. */
  readonly readyFrom: number;
}

/**
 * Finds the only place of a subject.
 *
 * @throws ImportFailure if the source does not contain the subject, or several submissions contain it
 */
export async function findPlace(
  index: SourceIndex,
  subject: Subject,
): Promise<{ readonly place: SourcePlace; readonly caseVariants: readonly SourcePlace[] }> {
  const { places, caseVariants } = await index.find(subject);
  const [place] = places;
  if (!place) throw new ImportFailure('source.gone', `${subject.id} is no longer in the source.`);
  if (places.length > 1) throw new ImportFailure('id.duplicate', duplicateInSource(subject.id, places).message);
  return { place, caseVariants };
}

/** Walks a place. @param walk `scan` or `inspect` of the scanner */
export async function walkDelivery(
  { scanner, history }: SourceAccess,
  place: SourcePlace,
  walk: () => Promise<ScanResult>,
): Promise<WalkedDelivery> {
  const scannedAt = new Date().toISOString();
  const top = await scanner.source.topOf(place);
  const scan = await walk();
  const settling = await scanner.settlingOf(place, { ...scan, scannedAt }, await history.find(place));
  return { place, scan, scannedAt, top, ...settling };
}

/** Whether a walked delivery is complete now. */
export function isComplete({ readyFrom }: WalkedDelivery): boolean {
  return Date.now() >= readyFrom;
}

/** Updates the lists of every process with a walked delivery. */
export async function reportWalk({ reports }: PlaceScanner, delivery: WalkedDelivery): Promise<void> {
  const { place, scan } = delivery;
  const { description } = scan.declarations;
  await reports.record({ place, summary: summaryOfScan(scan, delivery), description });
}

/** Returns the plan of an import from the walk of its delivery. @param clashes problems with the id of the subject */
export function planOf(
  delivery: WalkedDelivery,
  state: ImportPlan['state'],
  space: SpacePlan,
  clashes: readonly Problem[] = [],
): ImportPlan {
  const { files, bytes, problems, warnings } = delivery.scan;
  return {
    state,
    ready: isComplete(delivery),
    files,
    bytes,
    free_bytes: space.free_bytes,
    fits: fits(space),
    space,
    problem_count: clashes.length + problems.count,
    problems: [...clashes, ...problems.named],
    warning_count: warnings.count,
    warnings: warnings.named,
    scanned_at: delivery.scannedAt,
  };
}
