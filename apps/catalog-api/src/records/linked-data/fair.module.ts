import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { CatalogChanges } from './catalog-changes.js';
import { Centre } from './centre.js';
import { ContextController } from './context.controller.js';
import { DcatController } from './dcat.controller.js';
import { DcatService } from './dcat.service.js';
import { IriBase } from './iri-base.js';
import { LinkedData } from './linked-data.js';
import { NegotiatedReader } from './negotiated-reader.js';
import { SitemapController } from './sitemap.controller.js';
import { SitemapRepository } from './sitemap.repository.js';
import { SitemapService } from './sitemap.service.js';

/** Published records for harvesters and search engines: linked data and the sitemap. */
@Module({
  imports: [DocumentsModule, VisibilityModule],
  controllers: [DcatController, ContextController, SitemapController],
  providers: [
    CatalogChanges,
    Centre,
    LinkedData,
    IriBase,
    NegotiatedReader,
    DcatService,
    SitemapService,
    SitemapRepository,
  ],
  exports: [NegotiatedReader],
})
export class FairModule {}
