import { AppError } from '@rdc/errors';

/** 403: the login or the password is wrong. The answer is the same in both cases. */
export class WrongLoginError extends AppError {
  constructor() {
    super('login.refused', 'The login or the password is wrong, or the account may not sign in.');
  }
}

/** 403: the request has no session; `more.sign_in` contains the addresses for signing in. */
export class SignInRequiredError extends AppError {
  /** @param oidc the path for signing in at the identity provider; null if no provider is configured */
  constructor(oidc: string | null) {
    super('session.required', 'Not signed in: send login and password with POST /api/session.', {
      details: { sign_in: { password: '/api/session', oidc } },
    });
  }
}
