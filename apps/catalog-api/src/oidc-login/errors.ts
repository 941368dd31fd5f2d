import { AppError } from '@rdc/errors';

/** 403: the login at the identity provider did not lead to anybody who may come in. */
export class OidcLoginRefusedError extends AppError {
  constructor(reason: string, cause?: unknown) {
    super('login.refused', `${reason} Begin again at /api/session/oidc.`, { cause });
  }
}
