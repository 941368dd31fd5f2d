import { Controller, Get, Header, Query, Req, UseInterceptors } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { IsOptional, Matches } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { ReadHeaders, type ReadConditions } from '../../publishing/documents/read-headers.decorator.js';
import type { StreamedList } from '../../publishing/documents/stored-response.js';
import { StoredResponseInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { IriBase } from './iri-base.js';
import { SitemapService } from './sitemap.service.js';

/** The query of the sitemap. */
export class SearchSitemap {
  @IsOptional()
  @Matches(/^[1-9]\d{0,4}$/, { message: 'file must be a whole number from 1' })
  file?: string;
}

/** Serves the files that search engines and harvesters expect at every origin. */
@Controller()
@CallableByAnyone()
export class SitemapController {
  constructor(
    private readonly service: SitemapService,
    private readonly base: IriBase,
  ) {}

  /** Returns the addresses of the public datasets. */
  @Get('sitemap.xml')
  @UseInterceptors(StoredResponseInterceptor)
  sitemap(@Query() { file }: SearchSitemap, @ReadHeaders() conditions: ReadConditions): Promise<StreamedList> {
    return this.service.sitemap(file === undefined ? undefined : Number(file), conditions);
  }

  /** Allows crawlers to read the public catalog only. */
  @Get('robots.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  robots(@Req() { servedOrigin }: FastifyRequest): string {
    const base = this.base.of(servedOrigin);
    const path = URL.parse(base)?.pathname ?? '/';
    return `User-agent: *\nAllow: ${path}api/dcat\nDisallow: ${path}api/\n\nSitemap: ${base}sitemap.xml\n`;
  }
}
