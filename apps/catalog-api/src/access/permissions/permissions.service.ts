import { Injectable } from '@nestjs/common';
import { hasRole, hasScope, type Principal } from '@rdc/auth';
import { AccessDeniedError, UnknownRecordError } from '@rdc/errors';
import { PermissionsRepository } from './permissions.repository.js';

/** Finds the datasets that a person may use. */
@Injectable()
export class PermissionsService {
  constructor(private readonly repository: PermissionsRepository) {}

  /**
   * Returns the accessions of the datasets that a person may use now, sorted.
   *
   * @param subject the person's identifier at the identity provider
   * @throws AccessDeniedError if a user requests the permissions of another person without the role for that
   * @throws UnknownRecordError if no user, contact or entitlement has this identifier
   */
  async get(caller: Principal, subject: string): Promise<readonly string[]> {
    requireReader(caller, subject);
    const endpointId = caller.kind === 'endpoint' ? caller.endpointId : null;
    const unknown = new UnknownRecordError('person', subject);
    if (subject.includes('\0')) throw unknown;
    const { known, datasets } = await this.repository.heldBy(subject, endpointId);
    if (!known) throw unknown;
    return datasets;
  }
}

/** @throws AccessDeniedError if the caller may not read the permissions of this person */
function requireReader(caller: Principal, subject: string): void {
  if (mayRead(caller, subject)) return;
  throw new AccessDeniedError('Your key or session shows your own permissions only.');
}

function mayRead(caller: Principal, subject: string): boolean {
  switch (caller.kind) {
    case 'global':
    case 'endpoint':
      return true;
    case 'user':
    case 'session':
      return hasRole(caller, 'admin', 'data_steward', 'auditor') || caller.subject === subject;
    case 'service':
      return hasScope(caller, 'permissions:read');
    case 'anonymous':
    case 'unknown':
      return false;
  }
}
