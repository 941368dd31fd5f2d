import { maxNameLength } from '../../platform/database/lengths.js';
import { OneOf, Text } from '../../platform/properties/property.decorators.js';
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
}
