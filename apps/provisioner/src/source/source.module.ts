import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { ProvisionerSettings } from '../settings.js';
import { FolderSource } from './folder/folder-source.js';
import { SourceIndex } from './source-index.js';
import { SourceSystem } from './source-system.js';

/** The source system that `SOURCE_URL` names. */
@Module({
  providers: [
    {
      provide: SourceSystem,
      inject: [ProvisionerSettings],
      useFactory: ({ SOURCE_URL, SOURCE_READY }: ProvisionerSettings) =>
        new FolderSource(fileURLToPath(SOURCE_URL), SOURCE_READY),
    },
    SourceIndex,
  ],
  exports: [SourceSystem, SourceIndex],
})
export class SourceModule {}
