import { Module } from '@nestjs/common';
import { FixityModule } from '../fixity/fixity.module.js';
import { ImportRequestsModule } from '../imports/import-requests.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { ScanModule } from '../scan/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DatasetsService } from './datasets.service.js';
import { RemovableDatasets } from './removable-datasets.js';
import { WithdrawnDatasets } from './withdrawn-datasets.js';

/** The services of datasets, without their HTTP interface. */
@Module({
  imports: [
    FixityModule,
    ImportRequestsModule,
    InventoryModule,
    RequestLogModule,
    ScanModule,
    SourceModule,
    StorageModule,
  ],
  providers: [DatasetsService, RemovableDatasets, WithdrawnDatasets],
  exports: [DatasetsService, RemovableDatasets, WithdrawnDatasets],
})
export class DatasetsModule {}
