import { Injectable } from '@nestjs/common';
import type { PlaceSummary } from '../model/place-summary.js';
import { RecordIndex, type IndexedRecords } from '../model/record-index.js';
import { Records } from '../model/records.js';
import type { SourcePlace, SubmissionDescription } from '../model/source-system.js';

/** The folder below `data/`, with a folder for each kind of places. */
const root = '.requests/scans';

/** The walk of a place. */
export interface ScanReport {
  readonly place: SourcePlace;
  readonly summary: PlaceSummary;
  /** The description of a submission; null if there is none, and undefined if it was not read. */
  readonly description?: SubmissionDescription | null | undefined;
}

/**
 * The latest walks that were requested, by plans, imports and calls, one small record for each place. Lists show a walk
 * that is later than the stored scan, so each walk updates the lists of every process at once. The process that scans
 * moves the reports into the stored scan.
 */
@Injectable()
export class ScanReports {
  private readonly indices: readonly RecordIndex<ScanReport>[];

  constructor(private readonly records: Records) {
    this.indices = ['dataset', 'submission'].map(
      (kind) => new RecordIndex(records, `${root}/${kind}`, reportOf, ({ place }) => `${place.submission}/${place.id}`),
    );
  }

  /** Records the walk of a place, which must have a valid id. A power failure may lose the record. */
  async record(report: ScanReport): Promise<void> {
    await this.records.replace(fileOf(report.place), JSON.stringify(report));
  }

  /** Returns the latest reports of datasets and of submissions. Reads only records that have changed. */
  all(): Promise<readonly IndexedRecords<ScanReport>[]> {
    return Promise.all(this.indices.map((index) => index.all()));
  }

  /** Returns the latest report of a place; null if there is none. */
  async find(place: SourcePlace): Promise<ScanReport | null> {
    const text = await this.records.read(fileOf(place));
    const report = text === null ? null : reportOf(text);
    return report?.place.submission === place.submission ? report : null;
  }

  /** Removes a report unless a later walk has replaced it. */
  async remove({ place, summary }: ScanReport): Promise<void> {
    await this.records.removeIf(fileOf(place), (text) => reportOf(text).summary.scannedAt === summary.scannedAt);
  }
}

function fileOf({ kind, id }: SourcePlace): string {
  return `${root}/${kind}/${id}.json`;
}

/** The JSON form of a report, in which infinity is null. */
export interface StoredReport extends Omit<ScanReport, 'summary'> {
  readonly summary: Omit<PlaceSummary, 'readyFrom' | 'unchangedSince' | 'changedAt'> & {
    readonly readyFrom: number | null;
    /** Absent in reports of earlier releases. */
    readonly changedAt?: number;
    /** Absent in reports of earlier releases. */
    readonly unchangedSince?: string;
  };
}

function reportOf(text: string): ScanReport {
  return parseReport(JSON.parse(text) as StoredReport);
}

/** Returns a report from its JSON form. */
export function parseReport({ summary, ...report }: StoredReport): ScanReport {
  const { readyFrom, changedAt = 0, unchangedSince = summary.scannedAt } = summary;
  const times = { changedAt, unchangedSince, readyFrom: readyFrom ?? Number.POSITIVE_INFINITY };
  return { ...report, summary: { ...summary, ...times } };
}
