import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError } from '@rdc/errors';
import { requireAdministrator, requireCurator } from '../../platform/administration/administrator.js';
import { actorOf } from '../../publishing/audit/audit-trail.js';
import type { UpdateUseClass, UseClassList, UseClassResponse } from './use-class.dto.js';
import { UseClassLabels } from './use-class-labels.js';

/** Manages the labels of consent codes. Administrators only, except for the list. */
@Injectable()
export class UseClassesService {
  constructor(private readonly labels: UseClassLabels) {}

  /** Returns all consent codes. Data stewards may call it too. */
  async list(caller: Principal): Promise<UseClassList> {
    requireCurator(caller);
    return { items: await this.labels.list() };
  }

  /**
   * Changes the label of a consent code.
   *
   * @throws InvalidInputError if the label is blank
   * @throws UnknownRecordError if there is no such code
   */
  async update(caller: Principal, code: string, { label }: UpdateUseClass): Promise<UseClassResponse> {
    requireAdministrator(caller);
    if (label?.trim() === '') throw new InvalidInputError([{ field: 'label', problem: 'must not be empty' }]);
    return this.labels.set(code, label, actorOf(caller));
  }
}
