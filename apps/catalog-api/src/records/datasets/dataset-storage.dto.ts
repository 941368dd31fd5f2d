import { OneOf, Text } from '../../platform/properties/property.decorators.js';
import { storageCategories, type StorageCategory } from './storage-location.entity.js';

/** A copy of a dataset by its place. */
export class NamedStorage {
  @Text({ description: 'Name of the platform.', min: 1, max: 200 })
  platform!: string;

  @Text({ description: 'Place of the copy on the platform.', min: 1, max: 4096 })
  location!: string;
}

/** A copy of a dataset. */
export class AddStorage extends NamedStorage {
  @OneOf(storageCategories, { description: 'What the copy is for.', optional: true })
  category: StorageCategory = 'master';
}
