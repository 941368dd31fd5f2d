import { AppError } from '@rdc/errors';
import type { AccessStatus } from './access.dto.js';

/** 409: the access-request system says when this access ends, and its next post would move the end back. */
export class AccessEndError extends AppError {
  constructor(id: number, application: number) {
    super(
      'record.conflict',
      `The access "${String(id)}" comes from the application ${String(application)}: prolong it at the access-request system, or end it here.`,
      { details: { kind: 'access', id: String(id), application } },
    );
  }
}

/** 409: what is asked cannot be done with an access as it stands. */
export class AccessStateError extends AppError {
  constructor(id: number, status: AccessStatus, allowed: readonly AccessStatus[]) {
    super('record.conflict', `The access "${String(id)}" is ${status}; it must be ${allowed.join(' or ')} for this.`, {
      details: { kind: 'access', id: String(id), status, allowed },
    });
  }
}
