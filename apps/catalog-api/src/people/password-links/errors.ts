import { AppError } from '@rdc/errors';

/** 403: the link is unknown, used, replaced, withdrawn or expired. The answer is the same in all these cases. */
export class PasswordLinkRefusedError extends AppError {
  constructor() {
    super('password_link.refused', 'The link is invalid, used or expired: request a new link from an administrator.');
  }
}
