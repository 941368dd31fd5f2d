import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { SecondFactorError, SecondFactorStateError } from './errors.js';
import { newRecoveryCodes, normalRecoveryCode } from './recovery-codes.js';
import { SecondFactorRepository, type FactorRow } from './second-factor.repository.js';
import { newTotpSecret, stepOfCode, totpUri } from './totp.js';

/** The means that passed as second factor; null if the account has none. */
export type PassedFactor = 'totp' | 'recovery_code' | null;

/** A new secret, the only time it is shown. */
export interface Enrolment {
  /** The secret in base 32, to be typed. */
  readonly secret: string;
  /** The same as an `otpauth` address, to be shown as a QR code. */
  readonly uri: string;
}

/** The optional second factor (TOTP, RFC 6238) of accounts with a local password. */
@Injectable()
export class SecondFactors {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: SecondFactorRepository,
    private readonly secrets: AccountSecrets,
    private readonly audit: AuditTrail,
  ) {}

  /** The factor of an account, confirmed or not; null if there is none. */
  find(userId: number): Promise<FactorRow | null> {
    return this.repository.find(userId);
  }

  /**
   * Checks the code that came with a right password, and uses the code up. An account without a confirmed factor
   * passes without a code.
   *
   * @throws SecondFactorError if a code is missing or is not accepted
   */
  async pass(userId: number, code: string | undefined): Promise<PassedFactor> {
    const factor = await this.repository.find(userId);
    if (!factor?.isConfirmed) return null;
    const given = code?.trim() ?? '';
    if (given === '') throw new SecondFactorError('missing');
    if (/^\d{3}\s?\d{3}$/.test(given)) return this.passByCode(userId, factor, given.replace(/\s/, ''));
    const hashes = this.secrets.candidates('recovery code', normalRecoveryCode(given));
    if (!(await this.repository.useRecoveryCode(userId, hashes))) throw new SecondFactorError('wrong');
    return 'recovery_code';
  }

  /**
   * Makes a secret that waits for its confirmation; an earlier one that was not confirmed is replaced.
   *
   * @param account the name that the authenticator shows
   * @throws SecondFactorStateError if the account has a confirmed factor
   */
  async begin(userId: number, account: string): Promise<Enrolment> {
    const secret = newTotpSecret();
    const isProposed = await this.repository.propose(
      userId,
      this.secrets.seal('second factor', secret, ownerOf(userId)),
    );
    if (!isProposed) throw new SecondFactorStateError('This account has a second factor already; remove it first.');
    return { secret, uri: totpUri(secret, account) };
  }

  /**
   * Turns the factor on when a code shows that the authenticator has the secret.
   *
   * @returns the recovery codes, the only time they are shown
   * @throws SecondFactorStateError if no factor waits for its confirmation
   * @throws SecondFactorError if the code is wrong
   */
  async confirm(userId: number, code: string, actor: string): Promise<string[]> {
    const factor = await this.repository.find(userId);
    if (!factor || factor.isConfirmed) throw nothingToConfirm();
    const step = stepOfCode(this.secretOf(userId, factor.sealedSecret).text, code.replace(/\s/, ''));
    if (step === null) throw new SecondFactorError('wrong');
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.repository.confirm(manager, userId, factor.sealedSecret, step))) throw nothingToConfirm();
      await this.record(manager, actor, 'enable-second-factor', userId);
      return this.newCodes(manager, userId);
    });
  }

  /** Replaces all recovery codes. @throws SecondFactorStateError if the account has no confirmed factor */
  async renewRecoveryCodes(userId: number, actor: string): Promise<string[]> {
    return this.dataSource.transaction(async (manager) => {
      const factor = await this.repository.find(userId, manager);
      if (!factor?.isConfirmed) throw new SecondFactorStateError('This account has no second factor.');
      await this.record(manager, actor, 'renew-recovery-codes', userId);
      return this.newCodes(manager, userId);
    });
  }

  /** Removes the factor and its recovery codes; harmless if there are none. */
  async remove(userId: number, actor: string): Promise<void> {
    await this.dataSource.transaction((manager) => this.removeIn(manager, userId, actor));
  }

  /** The same as part of a transaction. */
  async removeIn(manager: EntityManager, userId: number, actor: string): Promise<void> {
    if (await this.repository.remove(manager, userId))
      await this.record(manager, actor, 'remove-second-factor', userId);
  }

  private async passByCode(userId: number, factor: FactorRow, code: string): Promise<PassedFactor> {
    const { text: secret, isStale } = this.secretOf(userId, factor.sealedSecret);
    const step = stepOfCode(secret, code);
    if (step === null || !(await this.repository.useStep(userId, step))) throw new SecondFactorError('wrong');
    if (isStale) {
      const sealed = this.secrets.seal('second factor', secret, ownerOf(userId));
      await this.repository.reseal(userId, factor.sealedSecret, sealed);
    }
    return 'totp';
  }

  private secretOf(userId: number, sealed: string): { readonly text: string; readonly isStale: boolean } {
    const opened = this.secrets.open('second factor', sealed, ownerOf(userId));
    if (!opened) throw new SecondFactorError('unreadable');
    return opened;
  }

  private async newCodes(manager: EntityManager, userId: number): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => this.secrets.hash('recovery code', normalRecoveryCode(code)));
    await this.repository.replaceRecoveryCodes(manager, userId, hashes);
    return codes;
  }

  private record(manager: EntityManager, actor: string, action: string, userId: number): Promise<void> {
    return this.audit.record(manager, { actor, action, resource: 'users', recordId: userId });
  }
}

/** Binds a sealed secret to its account, so that a row copied to another account opens nothing. */
function ownerOf(userId: number): string {
  return `user:${String(userId)}`;
}

function nothingToConfirm(): SecondFactorStateError {
  return new SecondFactorStateError(
    'No second factor waits for its confirmation; begin with POST /api/session/second-factor.',
  );
}
