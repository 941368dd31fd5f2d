import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { isS3, openBucket } from '../s3/s3-location.js';
import { ProvisionerSettings } from '../settings.js';
import { FolderSource } from './folder/folder-source.js';
import { S3Source } from './s3/s3-source.js';
import { SourceIndex } from './source-index.js';
import { SourceSystem } from './source-system.js';

/** The source system that `SOURCE_URL` names. */
export function openSource(settings: ProvisionerSettings): SourceSystem {
  const { SOURCE_URL, SOURCE_READY } = settings;
  return isS3(SOURCE_URL)
    ? new S3Source(openBucket(SOURCE_URL, settings.s3Access('SOURCE')), SOURCE_READY)
    : new FolderSource(fileURLToPath(SOURCE_URL), SOURCE_READY);
}

/** The source system that `SOURCE_URL` names. */
@Module({
  providers: [
    {
      provide: SourceSystem,
      inject: [ProvisionerSettings],
      useFactory: openSource,
    },
    SourceIndex,
  ],
  exports: [SourceSystem, SourceIndex],
})
export class SourceModule {}
