import { maxNameLength } from '../../platform/database/lengths.js';
import { OneOf, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { storageCategories, type StorageCategory } from './storage-location.entity.js';

/** The location of a copy of a dataset. */
export class NamedStorage {
  @Text({ description: 'The name of the platform.', min: 1, max: maxNameLength })
  platform!: string;

  @Text({ description: 'The path or address of the copy on the platform.', min: 1, max: 4096 })
  location!: string;
}

/** A new copy of a dataset. */
export class AddStorage extends NamedStorage {
  @OneOf(storageCategories, { description: 'The purpose of the copy. `master` if absent.', optional: true })
  category: StorageCategory = 'master';

  @WholeNumber({
    description: 'The total size of the files. Linked data states it as `dcat:byteSize`. Unchanged if absent.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  bytes?: number;

  @WholeNumber({
    description: 'The number of files. Unchanged if absent.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  files?: number;
}
