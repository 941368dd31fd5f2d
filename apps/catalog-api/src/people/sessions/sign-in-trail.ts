import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { AuditBudget } from '../rate-limits/audit-budget.js';
import type { AcceptedFactor } from '../second-factor/second-factors.js';

/** The resource of audit entries about sessions. The record id is the id of the person. */
export const sessionResource = 'sessions';

export interface SignInProof {
  readonly method: 'password' | 'identity_provider';
  readonly secondFactor: AcceptedFactor;
  /** The hash that the password matched. The session begins only if the account still has this hash. */
  readonly passwordHash?: string;
}

/**
 * The reason of a refused sign-in. `account`: the account does not exist or may not sign in. `provider`: the identity
 * provider refused. `answer`: the browser returned without an answer to a login that it began here. `link`: a password
 * link was not accepted.
 */
export type RefusalCause = 'account' | 'password' | 'second_factor' | 'provider' | 'answer' | 'link';

/** Writes the audit entries about signing in and out. No entry contains a secret or text that was typed as a secret. */
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
   * Records a refused sign-in. Entries about unknown accounts have a common budget, because strangers can cause any
   * number of them. Entries about one account are bounded by the limit on failures of the account.
   *
   * @param subject the id of the account, or `unknown:` and a keyed hash of the typed login
   */
  async refused(subject: string, reason: RefusalCause): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const isKnown = reason === 'password' || reason === 'second_factor';
      const place = isKnown ? 1 : await this.budget.consume(manager, `refuse-sign-in ${reason}`);
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
