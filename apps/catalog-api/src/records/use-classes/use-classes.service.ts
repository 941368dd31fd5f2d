import { Injectable } from '@nestjs/common';
import type { CallerRule, Principal } from '@rdc/auth';
import { InvalidInputError } from '@rdc/errors';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { requireCaller } from '../../platform/administration/require-caller.js';
import { actorOf } from '../../publishing/audit/audit-trail.js';
import type { UpdateUseClass, UseClassList, UseClassResponse } from './use-class.dto.js';
import { UseClassLabels } from './use-class-labels.js';

/** The callers who may read the labels. Every export of a dataset contains them. */
export const labelReaders: readonly CallerRule[] = ['global', 'session'];

/** Manages the labels of consent codes. Administrators only, except for the list. */
@Injectable()
export class UseClassesService {
  constructor(private readonly labels: UseClassLabels) {}

  /** Returns all consent codes. Each session may call it. */
  async list(caller: Principal): Promise<UseClassList> {
    requireCaller(caller, labelReaders);
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
