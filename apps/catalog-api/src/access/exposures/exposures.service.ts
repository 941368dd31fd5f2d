import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import { requireCaller } from '../../platform/administration/require-caller.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { canBeId } from '../../platform/database/ids.js';
import { datasetKind } from '../../records/datasets/dataset.kind.js';
import { DatasetsService } from '../../records/datasets/datasets.service.js';
import { CatalogWriter, type CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import { isTagged, tagOf } from '../../publishing/documents/entity-tag.js';
import { staleRecordError, Preconditions, type ExpectedState } from '../../publishing/writing/preconditions.js';
import { Publisher } from '../../publishing/writing/publisher.js';
import { acquireWritingLock } from '../../publishing/writing/writing-lock.js';
import { exposureReaders, exposureWriters } from './exposure-callers.js';
import type { CreateExposure, DeprecateExposure, ExposureResponse } from './exposure.dto.js';
import { ExposuresRepository } from './exposures.repository.js';

/** An exposure in the audit trail. */
type AuditedExposure = ExposureResponse & { readonly dataset_id: number };

/** Exposes datasets to endpoints and withdraws them. */
@Injectable()
export class ExposuresService {
  constructor(
    private readonly catalog: CatalogWriter,
    private readonly datasets: DatasetsService,
    private readonly preconditions: Preconditions,
    private readonly repository: ExposuresRepository,
    private readonly publisher: Publisher,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the exposures of a dataset, including deprecated exposures. @throws UnknownRecordError if no such dataset is readable */
  async list(caller: Principal, dataset: string): Promise<{ results: ExposureResponse[] }> {
    requireCaller(caller, exposureReaders);
    const { manager } = this.repository;
    return { results: await this.repository.list(manager, await this.resolveId(manager, caller, dataset)) };
  }

  /** Returns one exposure. @throws UnknownRecordError if no such dataset is readable or the exposure does not exist */
  async get(caller: Principal, dataset: string, exposure: string): Promise<ExposureResponse> {
    requireCaller(caller, exposureReaders);
    const { manager } = this.repository;
    return this.findOrFail(manager, await this.resolveId(manager, caller, dataset), exposure);
  }

  /**
   * Exposes a dataset to an endpoint, and publishes the partners and cohorts of its declarations.
   *
   * @throws UnknownRecordError if the caller may not read such a dataset
   * @throws InvalidInputError if the endpoint does not exist, or the dataset is already exposed to it
   * @throws PreconditionFailedError if the dataset differs from the state that the caller expects
   */
  async create(
    caller: Principal,
    dataset: string,
    input: CreateExposure,
    expected: ExpectedState,
  ): Promise<ExposureResponse> {
    requireCaller(caller, exposureWriters);
    return this.transaction(async (transaction) => {
      const { manager, touch } = transaction;
      const id = await this.preconditions.findOrFail(
        manager,
        datasetKind,
        this.datasets.requestOf(caller, dataset),
        expected,
      );
      const exposure = await this.insert(manager, id, input);
      touch({ exposed: [id] });
      const { partners, cohorts } = await this.repository.findDeclared(manager, id);
      await this.publisher.publish(transaction, 'partners', partners, actorOf(caller));
      await this.publisher.publish(transaction, 'cohorts', cohorts, actorOf(caller));
      await this.auditChange(manager, caller, 'expose', { after: Object.assign({ dataset_id: id }, exposure) });
      return exposure;
    });
  }

  /**
   * Withdraws a dataset from an endpoint. The endpoint continues to see the dataset, marked as deprecated.
   *
   * @throws UnknownRecordError if no such dataset is readable or the exposure does not exist
   * @throws PreconditionFailedError if tags are given and the exposure has none of them
   */
  async deprecate(
    caller: Principal,
    dataset: string,
    exposure: string,
    { reason, ifMatch }: DeprecateExposure & Pick<ExpectedState, 'ifMatch'>,
  ): Promise<ExposureResponse> {
    requireCaller(caller, exposureWriters);
    return this.transaction(async ({ manager, touch }) => {
      const id = await this.resolveId(manager, caller, dataset);
      const before = await this.findOrFail(manager, id, exposure);
      if (ifMatch.length > 0 && !isTagged(tagOf(JSON.stringify(before)), ifMatch)) throw staleRecordError();
      if (before.deprecated) {
        throw new InvalidInputError([{ field: '', problem: 'The exposure is already deprecated' }]);
      }
      await this.repository.deprecate(manager, before.id, reason);
      touch({ exposed: [id] });
      const after = await this.findOrFail(manager, id, exposure);
      await this.auditChange(manager, caller, 'deprecate', {
        before: Object.assign({ dataset_id: id }, before),
        after: Object.assign({ dataset_id: id }, after),
      });
      return after;
    });
  }

  private transaction<T>(work: (transaction: CatalogTransaction) => Promise<T>): Promise<T> {
    return this.catalog.write(async (transaction) => {
      await acquireWritingLock(transaction.manager);
      return work(transaction);
    });
  }

  private async insert(manager: EntityManager, dataset: number, input: CreateExposure): Promise<ExposureResponse> {
    const endpoint = await this.repository.findEndpointByName(manager, input.endpoint);
    const name = JSON.stringify(input.endpoint);
    if (endpoint === undefined) {
      throw new InvalidInputError([
        { field: 'endpoint', problem: `must be the name of an endpoint; ${name} does not exist` },
      ]);
    }
    const id = await this.repository.insert(manager, dataset, endpoint, input);
    if (id === undefined) {
      throw new InvalidInputError([
        { field: 'endpoint', problem: `must be another endpoint; the dataset is already exposed to ${name}` },
      ]);
    }
    return this.findOrFail(manager, dataset, String(id));
  }

  /** Returns the id of a dataset that the caller may read. @throws UnknownRecordError if there is none */
  private resolveId(manager: EntityManager, caller: Principal, dataset: string): Promise<number> {
    const anyState = { ifMatch: [], onlyNew: false, origin: '' };
    return this.preconditions.findOrFail(manager, datasetKind, this.datasets.requestOf(caller, dataset), anyState);
  }

  private async findOrFail(manager: EntityManager, dataset: number, exposure: string): Promise<ExposureResponse> {
    const found = canBeId(exposure) ? await this.repository.find(manager, dataset, Number(exposure)) : undefined;
    if (!found) throw new UnknownRecordError('exposure', exposure);
    return found;
  }

  private async auditChange(
    manager: EntityManager,
    caller: Principal,
    action: string,
    { before, after }: { before?: AuditedExposure; after: AuditedExposure },
  ): Promise<void> {
    const write = { actor: actorOf(caller), action, resource: 'exposures', recordId: after.id, before, after };
    await this.audit.record(manager, write);
  }
}
