import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccessionsSettings } from './accessions.settings.js';

/**
 * Assigns accessions, each a prefix and the next number. Callers hold the writing lock, so that numbers only increase.
 */
@Injectable()
export class Accessions {
  private readonly prefix: string;

  constructor(settings: AccessionsSettings) {
    this.prefix = settings.ACCESSION_PREFIX;
  }

  /** Reserves the next accessions, in ascending order. */
  async reserve(manager: EntityManager, count: number): Promise<string[]> {
    if (count === 0) return [];
    const rows = await manager.query<{ accession: string }[]>(
      `SELECT $1 || nextval('accession_numbers') AS accession FROM generate_series(1, $2::integer)`,
      [this.prefix, count],
    );
    return rows.map(({ accession }) => accession);
  }

  /** Moves the next number past imported accessions that have the same prefix. */
  async reserveUpTo(manager: EntityManager, reserved: readonly string[]): Promise<void> {
    const last = Math.max(0, ...reserved.map((accession) => this.numberOf(accession)));
    if (last === 0) return;
    await manager.query(
      `SELECT setval('accession_numbers', $1::bigint) FROM accession_numbers WHERE last_value < $1::bigint OR NOT is_called`,
      [last],
    );
  }

  /** Runs a function, and then restores the next number. Dry runs consume no accessions. */
  async restoreAfter(manager: EntityManager, work: () => Promise<void>): Promise<void> {
    const [was] = await manager.query<[object]>('SELECT last_value, is_called FROM accession_numbers');
    try {
      await work();
    } finally {
      const restored = manager.query(
        `SELECT setval('accession_numbers', was.last_value, was.is_called)
           FROM jsonb_to_record($1::jsonb) AS was (last_value bigint, is_called boolean)`,
        [JSON.stringify(was)],
      );
      // A failed transaction accepts no statement. Some numbers are then skipped, which is harmless.
      await restored.catch(() => undefined);
    }
  }

  private numberOf(accession: string): number {
    const rest = accession.startsWith(this.prefix) ? accession.slice(this.prefix.length) : '';
    return /^\d{1,15}$/.test(rest) ? Number(rest) : 0;
  }
}
