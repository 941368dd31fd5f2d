import { Module } from '@nestjs/common';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { StorageModule } from '../storage/storage.module.js';
import { DeclarationThreads } from '../source/declarations/declaration-threads.js';
import { SourceModule } from '../source/source.module.js';
import { ScanReports } from '../source/scan-reports.js';
import { PlaceScanner } from '../source/place-scanner.js';
import { ScanStore } from './scan-store.js';
import { SourceAccess } from './source-access.js';
import { WalkHistory } from './walk-history.js';

/** The scanner of places in the source. */
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
    ScanStore,
    WalkHistory,
    SourceAccess,
  ],
  exports: [PlaceScanner, ScanStore, WalkHistory, SourceAccess],
})
export class PlaceScannerModule {}
