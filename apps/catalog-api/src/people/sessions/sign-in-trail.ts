import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { AuditBudget } from '../rate-limits/audit-budget.js';
import type { PassedFactor } from '../second-factor/second-factors.js';

/** The resource of entries about sessions. The record id of each is the id of the person. */
export const sessionResource = 'sessions';

/** How a person proved who they are. */
export interface SignInProof {
  readonly method: 'password' | 'identity_provider';
  readonly secondFactor: PassedFactor;
  /** The hash with which the password was compared; the session begins only while the account still has it. */
  readonly passwordHash?: string;
}

/**
 * The reason of a refused sign-in. `account`: there is no such account, or it may not sign in; `provider`: the identity
 * provider refused; `answer`: the browser brought no answer to a login that it began here; `link`: a link for setting a
 * password was not accepted.
 */
export type RefusalCause = 'account' | 'password' | 'second_factor' | 'provider' | 'answer' | 'link';

/** Writes the entries of the audit trail about signing in and out. No entry holds a secret or what was typed as one. */
@Injectable()
export class SignInTrail {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly budget: AuditBudget,
  ) {}

  /** Records a sign-in, in the transaction that begins the session. */
  async signedIn(manager: EntityManager, userId: number, session: string, proof: SignInProof): Promise<void> {
    const after = { session, method: proof.method, second_factor: proof.secondFactor };
    await this.audit.record(manager, { ...this.of(userId, 'sign-in'), after });
  }

  /** Records a sign-out, in the transaction that ends the session. */
  async signedOut(manager: EntityManager, userId: number, session: string): Promise<void> {
    await this.audit.record(manager, { ...this.of(userId, 'sign-out'), before: { session } });
  }

  /**
   * Records a refused sign-in. The entries about logins of no account are bounded together, because strangers can make
   * any number of them; those about one account are bounded by its limit of guesses.
   *
   * @param subject the id of the account, or `unknown:` and a keyed hash of what was typed
   */
  async refused(subject: string, reason: RefusalCause): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const isKnown = reason === 'password' || reason === 'second_factor';
      const place = isKnown ? 1 : await this.budget.spend(manager, `refuse-sign-in ${reason}`);
      if (place === null) return;
      const after = { reason, ...(!isKnown && { refused_in_window: place }) };
      const entry = { actor: 'anonymous', action: 'refuse-sign-in', resource: sessionResource };
      await this.audit.record(manager, { ...entry, recordId: subject, after });
    });
  }

  private of(userId: number, action: string): Record<'actor' | 'action' | 'resource' | 'recordId', string> {
    return { actor: `user:${String(userId)}`, action, resource: sessionResource, recordId: String(userId) };
  }
}
