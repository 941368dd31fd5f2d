import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityManager } from 'typeorm';
import { RecoveryCode } from './second-factor.entity.js';

/** The second factor of an account. */
export interface FactorRow {
  readonly sealedSecret: string;
  readonly isConfirmed: boolean;
  readonly recoveryCodes: number;
}

/** The statements about second factors. */
@Injectable()
export class SecondFactorRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(userId: number, manager: EntityManager = this.dataSource.manager): Promise<FactorRow | null> {
    const [row] = await manager.query<FactorRow[]>(
      `SELECT sealed_secret AS "sealedSecret", confirmed_at IS NOT NULL AS "isConfirmed",
              (SELECT count(*)::integer FROM recovery_codes WHERE user_id = $1) AS "recoveryCodes"
         FROM second_factors WHERE user_id = $1`,
      [userId],
    );
    return row ?? null;
  }

  /** Stores a secret without confirmation. @returns false if the account has a confirmed factor */
  async propose(userId: number, sealedSecret: string): Promise<boolean> {
    const stored = await this.dataSource.query<unknown[]>(
      `INSERT INTO second_factors AS kept (user_id, sealed_secret) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, created_at = now(), last_step = 0
        WHERE kept.confirmed_at IS NULL RETURNING user_id`,
      [userId, sealedSecret],
    );
    return stored.length > 0;
  }

  /** Confirms the factor. @returns false if another request has confirmed or removed the factor, or replaced its secret */
  async confirm(manager: EntityManager, userId: number, sealedSecret: string, step: number): Promise<boolean> {
    const [, confirmed] = await manager.query<[unknown, number]>(
      `UPDATE second_factors SET confirmed_at = now(), last_step = $3
        WHERE user_id = $1 AND sealed_secret = $2 AND confirmed_at IS NULL`,
      [userId, sealedSecret, step],
    );
    return confirmed > 0;
  }

  /** Records the step of an accepted code. @returns false if a code of this step or a later step was accepted before */
  async useStep(userId: number, step: number): Promise<boolean> {
    const [, used] = await this.dataSource.query<[unknown, number]>(
      'UPDATE second_factors SET last_step = $2 WHERE user_id = $1 AND last_step < $2 AND confirmed_at IS NOT NULL',
      [userId, step],
    );
    return used > 0;
  }

  /** Replaces the encrypted form of a secret, unless the secret was replaced in the meantime. */
  async reseal(userId: number, before: string, after: string): Promise<void> {
    await this.dataSource.query(
      'UPDATE second_factors SET sealed_secret = $3 WHERE user_id = $1 AND sealed_secret = $2',
      [userId, before, after],
    );
  }

  /** Consumes a recovery code. @returns false if no unused code has one of the hashes */
  async useRecoveryCode(userId: number, hashes: readonly string[]): Promise<boolean> {
    const { affected } = await this.dataSource.manager.delete(RecoveryCode, { userId, codeHash: In(hashes) });
    return affected !== 0;
  }

  async replaceRecoveryCodes(manager: EntityManager, userId: number, hashes: readonly string[]): Promise<void> {
    await manager.query('SELECT 1 FROM second_factors WHERE user_id = $1 FOR UPDATE', [userId]);
    await manager.delete(RecoveryCode, { userId });
    await manager.insert(
      RecoveryCode,
      hashes.map((codeHash) => ({ userId, codeHash })),
    );
  }

  /** Removes the factor and its recovery codes. @returns whether the factor was confirmed */
  async remove(manager: EntityManager, userId: number): Promise<boolean> {
    const [removed] = await manager.query<[{ confirmed: boolean }[]]>(
      'DELETE FROM second_factors WHERE user_id = $1 RETURNING confirmed_at IS NOT NULL AS confirmed',
      [userId],
    );
    return removed[0]?.confirmed ?? false;
  }
}
