import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { RecordWriting, type WriteConditions, type WriteTarget } from '../../publishing/writing/record-writing.js';
import type { DatasetBody, StorageBody } from './dataset.body.js';
import { datasetKind } from './dataset.kind.js';
import type { AddStorage, NamedStorage } from './dataset-storage.dto.js';
import { DatasetsService } from './datasets.service.js';

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
  add(caller: Principal, id: string, { platform, location, category }: AddStorage, origin: string): Promise<void> {
    const added = { platform, location, category, accesses: [] };
    return this.rewrite(caller, id, origin, (storages) =>
      storages.some((each) => isAt(each, added)) ? storages : [...storages, added],
    );
  }

  /** Removes a storage. @throws UnknownRecordError if there is no dataset */
  remove(caller: Principal, id: string, storage: NamedStorage, origin: string): Promise<void> {
    return this.rewrite(caller, id, origin, (storages) => storages.filter((each) => !isAt(each, storage)));
  }

  private async rewrite(
    caller: Principal,
    id: string,
    origin: string,
    change: (storages: readonly StorageBody[]) => readonly StorageBody[],
  ): Promise<void> {
    const conditions: WriteConditions = { ifMatch: [], onlyNew: false, origin, createMissing: true };
    const membersOf = ({ storages }: DatasetBody): object => ({ storages: change(storages) });
    await this.writing.amend(caller, this.target, id, membersOf, conditions);
  }
}

function isAt(storage: StorageBody, { platform, location }: NamedStorage): boolean {
  return storage.platform === platform && storage.location === location;
}
