import { AppError } from '@rdc/errors';

/**
 * Why nobody was signed in: the identity provider refused (`provider`); it let somebody in who may not come in here
 * (`account`); or what the browser brought is not the answer to a login that it began here (`answer`).
 */
export type RefusalReason = 'provider' | 'account' | 'answer';

/** What is known about a refused login beyond its reason. */
export interface RefusalFacts {
  /** The account as the audit trail names it. */
  readonly account?: string;
  readonly cause?: unknown;
}

/** 403: the login at the identity provider led to no account that may sign in here. */
export class OidcLoginRefusedError extends AppError {
  readonly account: string | undefined;

  constructor(
    readonly reason: RefusalReason,
    sentence: string,
    { account, cause }: RefusalFacts = {},
  ) {
    super('login.refused', `${sentence} Begin again at /api/session/oidc.`, { details: { reason }, cause });
    this.account = account;
  }
}
