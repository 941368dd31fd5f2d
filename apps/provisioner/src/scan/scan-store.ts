import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.js';
import { keyOfPlace, type PlaceSummary } from '../model/place-summary.js';
import { RecordIndex, type IndexedRecords } from '../model/record-index.js';
import { Records } from '../model/records.js';
import { parseReport, type ScanReport, type StoredReport } from '../source/scan-reports.js';
import { hashOf } from './walk-times.js';

/** The folder below `data/`. */
const root = '.requests/scan';

/** The number of records. Each holds the summaries of many places, so a change of one place rewrites a small part of all. */
const partCount = 1024;

const writesAtOnce = 8;

/** The latest complete round over the source. */
export interface LastRound {
  /** The end of the round, ISO 8601. */
  readonly scanned_at: string;
  /** The version of the listing that was scanned. */
  readonly listing: string;
}

/** Some of the scanned places. */
interface Part {
  readonly id: string;
  /** A digest that changes with the places, but not with a repeated walk of unchanged places. */
  readonly state: string;
  readonly places: ReadonlyMap<string, ScanReport>;
}

interface StoredPart {
  readonly id: string;
  readonly state: string;
  readonly places: readonly StoredReport[];
}

/** The stored scan of the source as it was read last. Immutable. */
export class StoredScan {
  /** Changes with the scanned places. Equal in every process. */
  readonly version: string;

  constructor(
    readonly parts: IndexedRecords<Part>,
    /** Null before the first round. */
    readonly round: LastRound | null,
  ) {
    const states = [...parts.bySubject.values()].map(({ id, state }) => `${id} ${state}`);
    this.version = states.length === 0 ? '' : hash('sha256', states.sort().join('\n'), 'base64url');
  }

  /** @param key see `keyOfPlace` */
  get(key: string): ScanReport | undefined {
    return this.parts.bySubject.get(partOf(key))?.places.get(key);
  }

  *entries(): Iterable<readonly [string, ScanReport]> {
    for (const { places } of this.parts.bySubject.values()) yield* places;
  }
}

/** The scan of the source in the storage. The process that scans writes it, and all processes read it. */
@Injectable()
export class ScanStore {
  private readonly parts: RecordIndex<Part>;
  private readonly rounds: RecordIndex<LastRound>;
  private latest: { readonly round: IndexedRecords<LastRound>; readonly scan: StoredScan } | null = null;

  constructor(private readonly records: Records) {
    this.parts = new RecordIndex(records, `${root}/places`, parsePart, ({ id }) => id);
    this.rounds = new RecordIndex(
      records,
      `${root}/round`,
      (text) => JSON.parse(text) as LastRound,
      () => '',
    );
  }

  /** Reads the scan. Reads only records that have changed. @returns the same object if nothing changed */
  async read(): Promise<StoredScan> {
    // The round is read first, so that its places are never older than it.
    const round = await this.rounds.all();
    const parts = await this.parts.all();
    const { latest } = this;
    if (latest?.round === round && latest.scan.parts === parts) return latest.scan;
    const scan = new StoredScan(parts, round.bySubject.get('') ?? null);
    this.latest = { round, scan };
    return scan;
  }

  /** Returns the stored walk of one place without reading those of all others; undefined if there is none. */
  async find(key: string): Promise<ScanReport | undefined> {
    const text = await this.records.read(partFile(partOf(key)));
    return text === null ? undefined : parsePart(text).places.get(key);
  }

  /** Stores changed places; null removes a place. Keeps a place that another process has walked later. */
  async save(changes: ReadonlyMap<string, ScanReport | null>): Promise<void> {
    if (changes.size === 0) return;
    const { bySubject } = await this.parts.all();
    const byPart = new Map<string, (readonly [string, ScanReport | null])[]>();
    for (const change of changes) {
      const id = partOf(change[0]);
      byPart.set(id, [...(byPart.get(id) ?? []), change]);
    }
    await forEachConcurrently(byPart, writesAtOnce, async ([id, changed]) => {
      const places = new Map(bySubject.get(id)?.places);
      for (const [key, report] of changed) {
        if (report === null) places.delete(key);
        else if (!isLater(places.get(key)?.summary, report.summary)) places.set(key, report);
      }
      await this.records.replace(partFile(id), JSON.stringify(partWith(id, places)));
    });
  }

  /** Stores the end of a round. */
  async saveRound(round: LastRound): Promise<void> {
    await this.records.replace(`${root}/round/latest.json`, JSON.stringify(round));
  }
}

/** Returns a text that changes with the scan of a place, but not with a repeated walk of an unchanged place. */
export function stateOf({ place, summary, description }: ScanReport): string {
  const lasting = { ...summary, scannedAt: undefined, top: undefined, changedAt: undefined, unchangedSince: undefined };
  return JSON.stringify([keyOfPlace(place), lasting, description]);
}

function isLater(one: PlaceSummary | undefined, other: PlaceSummary): boolean {
  return one !== undefined && one.scannedAt > other.scannedAt;
}

function partOf(key: string): string {
  return (hashOf(key) % partCount).toString(16).padStart(3, '0');
}

function partFile(id: string): string {
  return `${root}/places/${id}.json`;
}

function partWith(id: string, places: ReadonlyMap<string, ScanReport>): StoredPart {
  const reports = [...places.values()];
  const state = hash('sha256', reports.map(stateOf).sort().join('\n'), 'base64url');
  return { id, state, places: reports };
}

function parsePart(text: string): Part {
  const { id, state, places } = JSON.parse(text) as StoredPart;
  const reports = places.map(parseReport);
  return { id, state, places: new Map(reports.map((report) => [keyOfPlace(report.place), report])) };
}
