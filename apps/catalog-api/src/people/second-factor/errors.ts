import { AppError } from '@rdc/errors';

/** The reason of a refusal: the code is missing, the code is wrong or used, or the secret cannot be decrypted. */
export type SecondFactorReason = 'missing' | 'wrong' | 'unreadable';

const sentences: Readonly<Record<SecondFactorReason, string>> = {
  missing: 'A second factor is required: send a code of the authenticator or a recovery code as "code".',
  wrong: 'The code is wrong, expired or used: wait for the next code of the authenticator.',
  unreadable:
    'The second factor cannot be checked because KEY_HASH_SECRET was replaced: an administrator must remove the factor.',
};

/** 403: the password is right, but the second factor is not accepted; `more.reason` contains the reason. */
export class SecondFactorError extends AppError {
  constructor(readonly reason: SecondFactorReason) {
    super('login.second_factor', sentences[reason], { details: { reason } });
  }
}

/** 409: the state of the account's second factor does not allow the request. */
export class SecondFactorStateError extends AppError {
  constructor(message: string) {
    super('record.conflict', message);
  }
}
