import { Injectable } from '@nestjs/common';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';

/** The base of the catalog's IRIs: the public address of the catalog. */
@Injectable()
export class IriBase {
  private readonly fixed: string | undefined;
  private readonly basePath: string;

  constructor({ SERVER_URL, BASE_PATH }: CatalogSettings) {
    this.fixed = SERVER_URL === undefined ? undefined : webAddress(SERVER_URL);
    this.basePath = BASE_PATH ?? '';
  }

  /** Returns `SERVER_URL` if the setting is a web address, else the origin and path of the request. Ends in a slash. */
  of({ servedOrigin }: Pick<FastifyRequest, 'servedOrigin'>): string {
    return this.fixed ?? `${servedOrigin}${this.basePath}/`;
  }
}

function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}
