import { EdgeSettings } from '@rdc/http';
import { parseBoolean, Setting } from '@rdc/settings';
import { IsBoolean } from 'class-validator';

/** The settings of the HTTP service. */
export class HttpSettings extends EdgeSettings {
  override BODY_LIMIT = 16 * 1024 * 1024;

  @Setting({
    description:
      'Whether the catalog also answers at addresses of DAISY that have another name here: `/api/rems` like ' +
      '`/api/accessreq`, and `/api/keycloak/force` like `/api/idp/force`. Set it during a migration from DAISY.',
    parse: parseBoolean,
  })
  @IsBoolean()
  DAISY_ALIASES = false;

  check(): string[] {
    return this.checkEdge();
  }
}
