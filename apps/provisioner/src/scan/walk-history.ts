import { Injectable } from '@nestjs/common';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import type { SourcePlace } from '../model/source-system.js';
import { ScanReports } from '../source/scan-reports.js';
import { ScanStore } from './scan-store.js';

/** The latest walks of single places by any process. */
@Injectable()
export class WalkHistory {
  constructor(
    private readonly reports: ScanReports,
    private readonly store: ScanStore,
  ) {}

  /** Returns the latest recorded walk of a place; undefined if there is none. */
  async find(place: SourcePlace): Promise<PlaceSummary | undefined> {
    const [report, stored] = await Promise.all([this.reports.find(place), this.store.find(keyOfPlace(place))]);
    if (!report || !stored) return (report ?? stored)?.summary;
    return report.summary.scannedAt > stored.summary.scannedAt ? report.summary : stored.summary;
  }
}
