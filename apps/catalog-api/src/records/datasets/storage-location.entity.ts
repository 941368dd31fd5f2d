import { Check, Column, Entity, Index, type Relation } from 'typeorm';
import { Notes, Reference, RefersTo, Words } from '../../platform/database/record.entity.js';
import { Platform } from '../platforms/platform.entity.js';
import { DatasetPart } from './dataset.entity.js';

/** The purposes of a copy of a dataset. */
export const storageCategories = ['master', 'backup', 'copy'] as const;

/** The purpose of a copy of a dataset. */
export type StorageCategory = (typeof storageCategories)[number];

/** The storage location of a copy of a dataset. */
@Entity('storage_locations')
@Check('storage_locations_category_check', `category IN ('${storageCategories.join("', '")}')`)
export class StorageLocation extends DatasetPart {
  @Reference()
  @Index()
  platformId!: number;

  @RefersTo(() => Platform)
  platform!: Relation<Platform>;

  /** A path or an address on the platform. */
  @Notes()
  location!: string | null;

  @Column({ type: 'varchar', length: 10, default: 'master' })
  category!: StorageCategory;

  /** Notes on the people who have access to the copy (`accesses` in documents). */
  @Words()
  accesses!: string[];
}
