import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { withMember } from '../../platform/json/json.js';
import { RecordWriting, type WriteConditions, type WriteTarget } from '../../publishing/writing/record-writing.js';
import type { DatasetBody, StorageBody } from './dataset.body.js';
import { datasetKind } from './dataset.kind.js';
import type { AddStorage, NamedStorage } from './dataset-storage.dto.js';
import { DatasetsService } from './datasets.service.js';

/** The member of the metadata with the size that a program measured. */
const sizeMember = 'stored_size';

/** Records the storages of datasets without returning the datasets. */
@Injectable()
export class DatasetStoragesService {
  private readonly target: WriteTarget<DatasetBody>;

  constructor(
    private readonly writing: RecordWriting,
    datasets: DatasetsService,
  ) {
    // The caller may record copies of datasets that the caller does not see. The response contains no dataset.
    this.target = { kind: datasetKind, requestOf: (_, id) => datasets.requestOf({ kind: 'global' }, id) };
  }

  /**
   * Adds a storage.
   *
   * @throws UnknownRecordError if there is no dataset
   * @throws AccessDeniedError if the platform is new and the caller may not create platforms
   */
  add(
    caller: Principal,
    id: string,
    { platform, location, category, bytes, files }: AddStorage,
    origin: string,
  ): Promise<void> {
    const added = { platform, location, category, accesses: [] };
    const size = { bytes, files };
    return this.rewrite(caller, id, origin, ({ storages, metadata }) => ({
      storages: storages.some((each) => isAt(each, added)) ? storages : [...storages, added],
      ...(bytes !== undefined && { metadata: withMember(metadata, sizeMember, size) }),
    }));
  }

  /** Removes a storage, and with the last main copy the stored size. @throws UnknownRecordError if there is no dataset */
  remove(caller: Principal, id: string, storage: NamedStorage, origin: string): Promise<void> {
    return this.rewrite(caller, id, origin, ({ storages, metadata }) => {
      const kept = storages.filter((each) => !isAt(each, storage));
      const isStored = kept.some(({ category }) => category === 'master');
      return { storages: kept, ...(!isStored && { metadata: withMember(metadata, sizeMember, undefined) }) };
    });
  }

  private async rewrite(
    caller: Principal,
    id: string,
    origin: string,
    change: (body: DatasetBody) => Partial<DatasetBody>,
  ): Promise<void> {
    const conditions: WriteConditions = { ifMatch: [], onlyNew: false, origin, createMissing: true };
    await this.writing.amend(caller, this.target, id, change, conditions);
  }
}

function isAt(storage: StorageBody, { platform, location }: NamedStorage): boolean {
  return storage.platform === platform && storage.location === location;
}
