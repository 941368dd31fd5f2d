import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { SecondFactorError, SecondFactorStateError } from './errors.js';
import { newRecoveryCodes, normalRecoveryCode } from './recovery-codes.js';
import { SecondFactorRepository, type FactorRow } from './second-factor.repository.js';
import { newTotpSecret, stepOfCode, totpUri } from './totp.js';

/** The kind of code that was accepted; null if the account has no second factor. */
export type AcceptedFactor = 'totp' | 'recovery_code' | null;

/** A new secret. No other answer contains the secret. */
export interface Enrolment {
  /** The secret in base 32, for typing into an authenticator. */
  readonly secret: string;
  /** The secret as an `otpauth` address, for a QR code. */
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

  /** Returns the factor of an account, confirmed or not; null if there is none. */
  find(userId: number): Promise<FactorRow | null> {
    return this.repository.find(userId);
  }

  /**
   * Checks and consumes the code that came with a right password. An account without a confirmed factor needs no code.
   *
   * @throws SecondFactorError if a code is missing or is not accepted
   */
  async verify(userId: number, code: string | undefined): Promise<AcceptedFactor> {
    const factor = await this.repository.find(userId);
    if (!factor?.isConfirmed) return null;
    const given = code?.trim() ?? '';
    if (given === '') throw new SecondFactorError('missing');
    if (/^\d{3}\s?\d{3}$/.test(given)) return this.verifyTotp(userId, factor, given.replace(/\s/, ''));
    const hashes = this.secrets.candidates('recovery code', normalRecoveryCode(given));
    if (!(await this.repository.useRecoveryCode(userId, hashes))) throw new SecondFactorError('wrong');
    return 'recovery_code';
  }

  /**
   * Creates a secret that has to be confirmed. A previous unconfirmed secret is replaced.
   *
   * @param account the name that the authenticator shows
   * @throws SecondFactorStateError if the account has a confirmed factor
   */
  async begin(userId: number, account: string): Promise<Enrolment> {
    const secret = newTotpSecret();
    const isCreated = await this.repository.propose(
      userId,
      this.secrets.seal('second factor', secret, ownerOf(userId)),
    );
    if (!isCreated) throw new SecondFactorStateError('The account has a second factor: remove the factor first.');
    return { secret, uri: totpUri(secret, account) };
  }

  /**
   * Confirms the factor with a code of the authenticator.
   *
   * @returns the recovery codes, which no other method returns
   * @throws SecondFactorStateError if there is no unconfirmed factor
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
      if (!factor?.isConfirmed) throw new SecondFactorStateError('The account has no second factor.');
      await this.record(manager, actor, 'renew-recovery-codes', userId);
      return this.newCodes(manager, userId);
    });
  }

  /** Removes the factor and its recovery codes. */
  async remove(userId: number, actor: string): Promise<void> {
    await this.dataSource.transaction((manager) => this.removeIn(manager, userId, actor));
  }

  /** Removes the factor and its recovery codes, as part of a transaction. */
  async removeIn(manager: EntityManager, userId: number, actor: string): Promise<void> {
    if (await this.repository.remove(manager, userId))
      await this.record(manager, actor, 'remove-second-factor', userId);
  }

  private async verifyTotp(userId: number, factor: FactorRow, code: string): Promise<AcceptedFactor> {
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

/** Returns the name that binds an encrypted secret to its account, so that a row copied to another account is useless. */
function ownerOf(userId: number): string {
  return `user:${String(userId)}`;
}

function nothingToConfirm(): SecondFactorStateError {
  return new SecondFactorStateError(
    'The account has no unconfirmed second factor: send POST /api/session/second-factor first.',
  );
}
