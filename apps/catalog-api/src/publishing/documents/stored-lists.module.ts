import { Module, type DynamicModule } from '@nestjs/common';
import { STORED_LISTS, type StoredLists } from './stored-list.js';

/** Provides the `StoredLists` to every module. */
@Module({})
export class StoredListsModule {
  static forRoot(lists: StoredLists): DynamicModule {
    const provider = { provide: STORED_LISTS, useValue: lists };
    return { module: StoredListsModule, global: true, providers: [provider], exports: [provider] };
  }
}
