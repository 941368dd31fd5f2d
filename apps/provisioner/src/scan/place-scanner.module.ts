import { Module } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { StorageModule } from '../storage/storage.module.js';
import { DeclarationThreads } from '../source/declarations/declaration-threads.js';
import { SourceModule } from '../source/source.module.js';
import { ScanReports } from '../source/scan-reports.js';
import { PlaceScanner } from '../source/place-scanner.js';

/** The surveyor of places in the source. */
@Module({
  imports: [SourceModule, StorageModule],
  providers: [
    {
      provide: DeclarationThreads,
      inject: [ProvisionerSettings],
      useFactory: ({ DECLARED_MEMORY }: ProvisionerSettings) => new DeclarationThreads(DECLARED_MEMORY),
    },
    ScanReports,
    PlaceScanner,
  ],
  exports: [PlaceScanner],
})
export class PlaceScannerModule {}
