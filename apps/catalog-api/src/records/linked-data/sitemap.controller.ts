import { Controller, Get, Header, Query, Req, UseInterceptors } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { IsOptional, Matches } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import type { ListRequest } from '../../publishing/documents/document-query.js';
import { ExportInterceptor } from '../../publishing/documents/stored-response.interceptor.js';
import { IriBase } from './iri-base.js';
import { SitemapService } from './sitemap.service.js';

/** Which file of the sitemap is asked for. */
export class SearchSitemap {
  @IsOptional()
  @Matches(/^[1-9]\d{0,4}$/, { message: 'file must be a whole number from 1' })
  file?: string;
}

/** What search engines and harvesters look for at every origin. */
@Controller()
@CallableByAnyone()
export class SitemapController {
  constructor(
    private readonly service: SitemapService,
    private readonly base: IriBase,
  ) {}

  /** Where the public datasets stand. */
  @Get('sitemap.xml')
  @UseInterceptors(ExportInterceptor)
  sitemap(@Query() { file }: SearchSitemap, @Req() request: FastifyRequest): Promise<ListRequest> {
    return this.service.sitemap(file === undefined ? undefined : Number(file), this.base.of(request));
  }

  /** What crawlers may read: the public catalog. */
  @Get('robots.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  robots(@Req() request: FastifyRequest): string {
    const base = this.base.of(request);
    const path = URL.parse(base)?.pathname ?? '/';
    return `User-agent: *\nAllow: ${path}api/dcat\nDisallow: ${path}api/\n\nSitemap: ${base}sitemap.xml\n`;
  }
}
