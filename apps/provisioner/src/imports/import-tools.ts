import { Injectable } from '@nestjs/common';
import { CopyPool } from '../copy/copy-pool.js';
import { SourceIndex } from '../source/source-index.js';
import { SourceSystem } from '../source/source-system.js';
import { ProvisionerSettings } from '../settings.js';
import { Storage } from '../storage/storage.js';

/** What every run of an import works with. */
@Injectable()
export class ImportTools {
  constructor(
    readonly source: SourceSystem,
    readonly index: SourceIndex,
    readonly storage: Storage,
    readonly pool: CopyPool,
    readonly settings: ProvisionerSettings,
  ) {}
}
