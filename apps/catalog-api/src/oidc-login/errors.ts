import { AppError } from '@rdc/errors';

/**
 * Why nobody was signed in: the identity provider refused (`provider`); it let somebody in who may not come in here
 * (`account`); or what the browser brought is not the answer to a login that it began here (`answer`).
 */
export type RefusalReason = 'provider' | 'account' | 'answer';

/** 403: the login at the identity provider did not lead to anybody who may come in. */
export class OidcLoginRefusedError extends AppError {
  constructor(
    readonly reason: RefusalReason,
    sentence: string,
    cause?: unknown,
  ) {
    super('login.refused', `${sentence} Begin again at /api/session/oidc.`, { details: { reason }, cause });
  }
}
