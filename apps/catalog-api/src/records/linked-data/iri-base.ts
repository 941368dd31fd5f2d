import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';

/** What identifiers of ours begin with: the address under which the catalog is known outside. */
@Injectable()
export class IriBase {
  private readonly fixed: string | undefined;
  private readonly basePath: string;

  constructor({ SERVER_URL, BASE_PATH }: CatalogSettings) {
    this.fixed = SERVER_URL === undefined ? undefined : webAddress(SERVER_URL);
    this.basePath = BASE_PATH ?? '';
  }

  /** `SERVER_URL` where that is an address, else the origin and path that a request was served under; ends in a slash. */
  of({ servedOrigin }: Pick<FastifyRequest, 'servedOrigin'>): string {
    return this.fixed ?? `${servedOrigin}${this.basePath}/`;
  }
}

function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}
