import { AppError } from '@rdc/errors';

/** 403: the link cannot be used. The answer is the same for an unknown, used, replaced, withdrawn and expired link. */
export class PasswordLinkRefusedError extends AppError {
  constructor() {
    super(
      'password_link.refused',
      'The link is not valid, was used or is too old; request a new one from an administrator.',
    );
  }
}
