import { Injectable } from '@nestjs/common';
import type { PlaceSummary } from '../model/place-summary.js';
import { RecordIndex, type IndexedRecords } from '../model/record-index.js';
import { Records } from '../model/records.js';
import type { SourcePlace } from '../model/source-system.js';

/** The folder below `data/`, with a folder for each kind of places. */
const root = '.requests/scans';

/** The summary of a place that a worker has walked. */
export interface ScanReport {
  readonly place: SourcePlace;
  readonly summary: PlaceSummary;
}

/**
 * The latest walks of workers, one small record for each place. Lists show a walk that is later than their own scan, so
 * that a plan or an import updates the lists of every process at once.
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

  /** Removes a report unless a worker has replaced it. */
  async remove({ place, summary }: ScanReport): Promise<void> {
    await this.records.removeIf(fileOf(place), (text) => reportOf(text).summary.scannedAt === summary.scannedAt);
  }
}

function fileOf({ kind, id }: SourcePlace): string {
  return `${root}/${kind}/${id}.json`;
}

/** The JSON form of a report, in which infinity is null. */
interface StoredReport {
  readonly place: SourcePlace;
  readonly summary: Omit<PlaceSummary, 'readyFrom'> & { readonly readyFrom: number | null };
}

function reportOf(text: string): ScanReport {
  const { place, summary } = JSON.parse(text) as StoredReport;
  return { place, summary: { ...summary, readyFrom: summary.readyFrom ?? Number.POSITIVE_INFINITY } };
}
