import { AppError } from '@rdc/errors';
import type { AccessStatus } from './access.dto.js';

/** 409: the access-request system decides the end of the access. Its next post would revert a change. */
export class AccessEndError extends AppError {
  constructor(id: number, application: number) {
    super(
      'record.conflict',
      `The access "${String(id)}" belongs to the application ${String(application)}: change its end at the access-request system, or terminate the access.`,
      { details: { kind: 'access', id: String(id), application } },
    );
  }
}

/** 409: the status of the access does not allow the request. */
export class AccessStateError extends AppError {
  constructor(id: number, status: AccessStatus, allowed: readonly AccessStatus[]) {
    super(
      'record.conflict',
      `The access "${String(id)}" is ${status}: this request requires the status ${allowed.join(' or ')}.`,
      {
        details: { kind: 'access', id: String(id), status, allowed },
      },
    );
  }
}
