import { Injectable } from '@nestjs/common';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';

/** Determines the base of the catalog's identifiers, which is the public address of the catalog. */
@Injectable()
export class IriBase {
  private readonly fixed: string | undefined;
  private readonly basePath: string;

  constructor({ SERVER_URL }: DocumentsSettings, { BASE_PATH }: HttpSettings) {
    this.fixed = SERVER_URL === undefined ? undefined : webAddress(SERVER_URL);
    this.basePath = BASE_PATH ?? '';
  }

  /**
   * Returns the base of identifiers, with a slash at the end: `SERVER_URL` if it is an address, otherwise the origin of
   * the request followed by `BASE_PATH`.
   */
  of(origin: string): string {
    return this.fixed ?? `${origin}${this.basePath}/`;
  }
}

function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/*$/, '/')}`;
}
