import { isServiceKey } from '@rdc/auth';
import { parseBoolean, Setting } from '@rdc/settings';
import { IsBoolean, IsOptional, IsString, Length, Matches } from 'class-validator';
import { ScheduleSettings } from './schedule.settings.js';

/** How this service is connected to the catalog (provisioner interface, section 7). */
export abstract class CatalogClientSettings extends ScheduleSettings {
  @Setting({
    description:
      'URL of the catalog, without `/api`: it is notified where an imported dataset lies, and it knows sessions and service keys. Unset: it is not notified, and sessions and service keys are refused.',
  })
  @IsOptional()
  @Matches(/^https?:\/\/[^/?#]+[^?#]*$/, { message: 'CATALOG_URL must be an http:// or https:// URL' })
  CATALOG_URL?: string;

  @Setting({
    description:
      'Service key at that catalog, with the scopes `storages:write` and `introspection`, and `records:write` if CATALOG_DRAFTS is set: the same as its PROVISIONER_API_KEY, or made by `catalog key service`. The global key works too, with a warning.',
    secret: true,
  })
  @IsOptional()
  @IsString()
  CATALOG_API_KEY?: string;

  @Setting({ description: 'What the catalog calls this storage: the platform of its storage locations.' })
  @Length(1, 255)
  CATALOG_PLATFORM = 'Data storage';

  @Setting({
    description: '`true`: a dataset that the catalog does not know is recorded there, unpublished.',
    parse: parseBoolean,
  })
  @IsBoolean()
  CATALOG_DRAFTS = false;

  /** The warning of a key that may do more than this service needs; null if there is none. */
  get catalogKeyWarning(): string | null {
    const { CATALOG_API_KEY } = this;
    if (CATALOG_API_KEY === undefined || isServiceKey(CATALOG_API_KEY)) return null;
    return (
      'CATALOG_API_KEY is no service key: if it is the global key, a thief of this service has the whole catalog. ' +
      'Make one: catalog key service provisioner --scope storages:write --scope introspection'
    );
  }

  /** Rules between these settings. */
  protected checkCatalog(): string[] {
    return this.CATALOG_URL !== undefined && this.CATALOG_API_KEY === undefined
      ? ['CATALOG_API_KEY must be set where CATALOG_URL is']
      : [];
  }
}
