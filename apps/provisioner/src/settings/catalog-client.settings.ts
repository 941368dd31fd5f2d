import { isServiceKey } from '@rdc/auth';
import { parseBoolean, Setting } from '@rdc/settings';
import { IsBoolean, IsOptional, IsString, Length, Matches } from 'class-validator';
import { ScheduleSettings } from './schedule.settings.js';

/** The connection of the provisioner to the catalog. */
export abstract class CatalogClientSettings extends ScheduleSettings {
  @Setting({
    description:
      'Base URL of the catalog, without `/api`. The provisioner reports the storage location of each imported dataset to the catalog, and the end of each import, and verifies sessions and service keys there. If unset, nothing is reported, no events about imports are sent, and sessions and service keys are refused.',
  })
  @IsOptional()
  @Matches(/^https?:\/\/[^/?#]+[^?#]*$/, { message: 'CATALOG_URL must be an http:// or https:// URL' })
  CATALOG_URL?: string;

  @Setting({
    description:
      "Service key with which the provisioner calls the catalog at `CATALOG_URL`. The key needs the scopes `storages:write` and `introspection`, and `records:write` if `CATALOG_DRAFTS` is `true`. `catalog key service` creates one; alternatively, use the value of the catalog's `PROVISIONER_API_KEY`. The catalog's global key works, but a warning is logged. Required if `CATALOG_URL` is set.",
    secret: true,
  })
  @IsOptional()
  @IsString()
  CATALOG_API_KEY?: string;

  @Setting({
    description:
      'Name of the platform in the catalog under which the storage locations of imported datasets are recorded.',
  })
  @Length(1, 255)
  CATALOG_PLATFORM = 'Data storage';

  @Setting({
    description:
      'Whether the provisioner creates an unpublished dataset record in the catalog when an imported dataset has none.',
    parse: parseBoolean,
  })
  @IsBoolean()
  CATALOG_DRAFTS = false;

  /** A warning if `CATALOG_API_KEY` may be the global key; null if not. */
  get catalogKeyWarning(): string | null {
    const { CATALOG_API_KEY } = this;
    if (CATALOG_API_KEY === undefined || isServiceKey(CATALOG_API_KEY)) return null;
    return (
      'CATALOG_API_KEY is not a service key. The global key gives full access to the catalog; use a service key instead. ' +
      'Create one: catalog key service provisioner --scope storages:write --scope introspection'
    );
  }

  /** Returns the violated rules between settings. */
  protected checkCatalog(): string[] {
    return this.CATALOG_URL !== undefined && this.CATALOG_API_KEY === undefined
      ? ['CATALOG_API_KEY must be set if CATALOG_URL is set']
      : [];
  }
}
