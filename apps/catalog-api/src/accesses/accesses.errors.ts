import { AppError } from '@rdc/errors';
import type { AccessStatus } from './access.dto.js';

/** 409: what is asked cannot be done with an access as it stands. */
export class AccessStateError extends AppError {
  constructor(id: number, status: AccessStatus, allowed: readonly AccessStatus[]) {
    super('record.conflict', `The access "${String(id)}" is ${status}; it must be ${allowed.join(' or ')} for this.`, {
      details: { kind: 'access', id: String(id), status, allowed },
    });
  }
}
