import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { RecordWriting, type WriteConditions, type WriteTarget } from '../../publishing/writing/record-writing.js';
import type { DatasetBody, StorageBody } from './dataset.body.js';
import { datasetKind } from './dataset.kind.js';
import type { AddStorage, NamedStorage } from './dataset-storage.dto.js';
import { DatasetsService } from './datasets.service.js';

/** Records where copies of datasets lie, without showing the datasets. */
@Injectable()
export class DatasetStoragesService {
  private readonly target: WriteTarget<DatasetBody>;

  constructor(
    private readonly writing: RecordWriting,
    private readonly settings: CatalogSettings,
    datasets: DatasetsService,
  ) {
    // The caller records places of datasets that it may not read; nothing of them is answered.
    this.target = { kind: datasetKind, read: (_, id) => datasets.get({ kind: 'global' }, id) };
  }

  /** Adds a copy. @throws UnknownRecordError, AccessDeniedError if the platform is new and the caller makes none */
  add(caller: Principal, id: string, { platform, location, category }: AddStorage, origin: string): Promise<void> {
    const added = { platform, location, category, accesses: [] };
    return this.rewrite(caller, id, origin, (storages) =>
      storages.some((each) => isAt(each, added)) ? storages : [...storages, added],
    );
  }

  /** Takes a copy out. @throws UnknownRecordError */
  remove(caller: Principal, id: string, storage: NamedStorage, origin: string): Promise<void> {
    return this.rewrite(caller, id, origin, (storages) => storages.filter((each) => !isAt(each, storage)));
  }

  private async rewrite(
    caller: Principal,
    id: string,
    origin: string,
    change: (storages: readonly StorageBody[]) => readonly StorageBody[],
  ): Promise<void> {
    const source = this.settings.SERVER_URL ?? origin;
    const conditions: WriteConditions = { ifMatch: [], onlyNew: false, source, createMissing: true };
    const membersOf = ({ storages }: DatasetBody): object => ({ storages: change(storages) });
    await this.writing.amend(caller, this.target, id, membersOf, conditions);
  }
}

function isAt(storage: StorageBody, { platform, location }: NamedStorage): boolean {
  return storage.platform === platform && storage.location === location;
}
