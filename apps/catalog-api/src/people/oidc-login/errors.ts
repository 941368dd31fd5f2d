import { AppError } from '@rdc/errors';

/**
 * The reason of a refused login. `provider`: the identity provider refused. `account`: the account may not sign in here.
 * `answer`: the browser did not return the answer to a login that it began here.
 */
export type RefusalReason = 'provider' | 'account' | 'answer';

/** Details of a refused login. */
export interface RefusalFacts {
  /** The name of the account in the audit trail. */
  readonly account?: string;
  readonly cause?: unknown;
}

/** 403: the login at the identity provider did not lead to an account that may sign in here. */
export class OidcLoginRefusedError extends AppError {
  readonly account: string | undefined;

  constructor(
    readonly reason: RefusalReason,
    message: string,
    { account, cause }: RefusalFacts = {},
  ) {
    super('login.refused', `${message} Sign in again at /api/session/oidc.`, { details: { reason }, cause });
    this.account = account;
  }
}
