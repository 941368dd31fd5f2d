import { AppError } from '@rdc/errors';

/** 403: login and password do not belong together. Never says which of the two is wrong. */
export class WrongLoginError extends AppError {
  constructor() {
    super('login.refused', 'The login or the password is wrong, or the account may not sign in.');
  }
}

/** 403: nobody is signed in; `more.sign_in` says how to. */
export class SignInRequiredError extends AppError {
  /** @param oidc where the browser goes to sign in at the identity provider, or null when there is none */
  constructor(oidc: string | null) {
    super('session.required', 'Nobody is signed in: POST /api/session with login and password.', {
      details: { sign_in: { password: '/api/session', oidc } },
    });
  }
}
