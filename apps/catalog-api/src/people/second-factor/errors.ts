import { AppError } from '@rdc/errors';

/** Why a code is needed, or was not accepted: it is missing, it is wrong or used, or the secret cannot be read. */
export type SecondFactorReason = 'missing' | 'wrong' | 'unreadable';

const sentences: Readonly<Record<SecondFactorReason, string>> = {
  missing: 'This account needs a code of its authenticator, or a recovery code: send it as "code".',
  wrong: 'The code is wrong, has expired or was used before; wait for the next code of the authenticator.',
  unreadable:
    'The second factor cannot be checked because KEY_HASH_SECRET was replaced: an administrator must remove it.',
};

/** 403: the password is right, and a code of the second factor is needed; `more.reason` says what is wrong. */
export class SecondFactorError extends AppError {
  constructor(readonly reason: SecondFactorReason) {
    super('login.second_factor', sentences[reason], { details: { reason } });
  }
}

/** 409: the account's second factor is not in the state that the request needs. */
export class SecondFactorStateError extends AppError {
  constructor(message: string) {
    super('record.conflict', message);
  }
}
