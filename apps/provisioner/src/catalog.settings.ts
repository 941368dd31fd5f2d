import { parseBoolean, Setting } from '@rdc/settings';
import { IsBoolean, IsOptional, IsString, Length, Matches } from 'class-validator';
import { ScheduleSettings } from './schedule.settings.js';

/** How the catalog is told of finished imports (provisioner interface, section 7). */
export abstract class CatalogSettings extends ScheduleSettings {
  @Setting({
    description:
      'URL of the catalog, without `/api`, which is told where an imported dataset lies. Unset: none is told.',
  })
  @IsOptional()
  @Matches(/^https?:\/\/[^/?#]+[^?#]*$/, { message: 'CATALOG_URL must be an http:// or https:// URL' })
  CATALOG_URL?: string;

  @Setting({ description: 'The global key of that catalog; other kinds of key only read.', secret: true })
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

  /** Rules between these settings. */
  protected checkCatalog(): string[] {
    return this.CATALOG_URL !== undefined && this.CATALOG_API_KEY === undefined
      ? ['CATALOG_API_KEY must be set where CATALOG_URL is']
      : [];
  }
}
