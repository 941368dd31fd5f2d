import { Module } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { StorageModule } from '../storage/storage.module.js';
import { DeclarationThreads } from '../source/declarations/declaration-threads.js';
import { SourceModule } from '../source/source.module.js';
import { PlaceScanner } from '../source/place-scanner.js';

/** Surveys of places in the source. */
@Module({
  imports: [SourceModule, StorageModule],
  providers: [
    {
      provide: DeclarationThreads,
      inject: [ProvisionerSettings],
      useFactory: ({ DECLARED_MEMORY }: ProvisionerSettings) => new DeclarationThreads(DECLARED_MEMORY),
    },
    PlaceScanner,
  ],
  exports: [PlaceScanner],
})
export class PlaceScannerModule {}
