import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { recordServiceSettings, requireServiceSettings, type WrittenSettings } from '../documents/service-settings.js';
import { AccessionsSettings } from './accessions.settings.js';

/**
 * Assigns accessions, each a prefix and the next number. Callers hold the writing lock, so that numbers only increase.
 */
@Injectable()
export class Accessions {
  private readonly prefix: string;
  private readonly written: WrittenSettings;

  constructor(settings: AccessionsSettings) {
    this.prefix = settings.ACCESSION_PREFIX;
    this.written = { ACCESSION_PREFIX: this.prefix };
  }

  /**
   * Checks that this process gives accessions with the prefix of the service.
   *
   * @throws OtherSettingsError if the service started with another prefix
   */
  async requireServicePrefix(manager: EntityManager): Promise<void> {
    await requireServiceSettings(manager, this.written);
  }

  /** Records the prefix of the service, which is starting. After a change, numbers continue after the given ones. */
  async recordServicePrefix(manager: EntityManager): Promise<void> {
    const changed = await recordServiceSettings(manager, this.written);
    if (changed.length > 0) await this.reserveGiven(manager);
  }

  /**
   * Reserves the next accessions, in ascending order.
   *
   * @throws OtherSettingsError if the service started with another prefix
   */
  async reserve(manager: EntityManager, count: number): Promise<string[]> {
    if (count === 0) return [];
    await this.requireServicePrefix(manager);
    const rows = await manager.query<{ accession: string }[]>(
      `SELECT $1 || nextval('accession_numbers') AS accession FROM generate_series(1, $2::integer)`,
      [this.prefix, count],
    );
    return rows.map(({ accession }) => accession);
  }

  /** Moves the next number past imported accessions that have the same prefix. */
  async reserveUpTo(manager: EntityManager, reserved: readonly string[]): Promise<void> {
    const last = Math.max(0, ...reserved.map((accession) => this.numberOf(accession)));
    if (last > 0) await this.moveTo(manager, last);
  }

  /** Moves the next number past every given accession with the prefix, and past a number of another catalog. */
  async reserveGiven(manager: EntityManager, atLeast = 0): Promise<void> {
    const [{ last }] = await manager.query<[{ last: string }]>(
      `SELECT greatest($2::bigint, max(substr(accession, length($1) + 1)::bigint)) AS last FROM accessions
        WHERE starts_with(accession, $1) AND substr(accession, length($1) + 1) ~ '^[0-9]{1,15}$'`,
      [this.prefix, atLeast],
    );
    if (Number(last) > 0) await this.moveTo(manager, Number(last));
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

  private async moveTo(manager: EntityManager, last: number): Promise<void> {
    await manager.query(
      `SELECT setval('accession_numbers', $1::bigint) FROM accession_numbers WHERE last_value < $1::bigint OR NOT is_called`,
      [last],
    );
  }

  private numberOf(accession: string): number {
    const rest = accession.startsWith(this.prefix) ? accession.slice(this.prefix.length) : '';
    return /^\d{1,15}$/.test(rest) ? Number(rest) : 0;
  }
}
