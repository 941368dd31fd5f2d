import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { ContextController } from './context.controller.js';
import { DcatController } from './dcat.controller.js';
import { IriBase } from './iri-base.js';
import { LinkedData } from './linked-data.js';
import { SitemapController } from './sitemap.controller.js';
import { SitemapService } from './sitemap.service.js';

/** The module that publishes records for harvesters and search engines: linked data and the sitemap. */
@Module({
  imports: [DocumentsModule, VisibilityModule],
  controllers: [DcatController, ContextController, SitemapController],
  providers: [LinkedData, IriBase, SitemapService],
  exports: [LinkedData, IriBase],
})
export class FairModule {}
