import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { FolderSource } from './folder/folder-source.js';
import { SourceIndex } from './source-index.js';
import { SourceSystem } from '../model/source-system.js';

/** Returns the source system at `SOURCE_URL`. The S3 client is loaded for a bucket only, because it takes memory. */
export async function openSource(settings: ProvisionerSettings): Promise<SourceSystem> {
  const { SOURCE_URL, SOURCE_READY, SOURCE_IDENTITY, WALK_THREADS } = settings;
  const access = settings.s3Access('SOURCE');
  if (!access) return new FolderSource(fileURLToPath(SOURCE_URL), SOURCE_READY, SOURCE_IDENTITY, WALK_THREADS);
  const { openBucket } = await import('../s3/s3-location.js');
  const { S3Source } = await import('./s3/s3-source.js');
  return new S3Source(openBucket(SOURCE_URL, access), SOURCE_READY, SOURCE_IDENTITY);
}

/** The source system at `SOURCE_URL`. */
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
