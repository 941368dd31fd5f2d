import { ApiProperty } from '@nestjs/swagger';
import { maxNameLength } from '../../platform/database/lengths.js';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { Flag, Text } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';

const isPublic = 'Whether endpoints see the name of the platform and the paths on it.';

/** The query of the list of storage platforms. */
export class SearchPlatforms extends PageParameters {
  @SearchText('Part of the name of the platform.')
  q?: string;
}

/** A new storage platform. */
export class CreatePlatform {
  @Text({ description: 'The name, which is unique among platforms.', max: maxNameLength, min: 1 })
  name!: string;

  @Flag({ description: isPublic, optional: true })
  public = false;
}

/** Changes of a storage platform. An absent member stays unchanged. */
export class UpdatePlatform {
  @Text({ description: 'The name, which is unique among platforms.', max: maxNameLength, min: 1, optional: true })
  name?: string;

  @Flag({ description: isPublic, optional: true })
  public?: boolean;
}

/** A storage platform. */
export class PlatformResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: isPublic })
  public!: boolean;

  @ApiProperty({ type: 'integer', description: 'The number of datasets with a copy on the platform.' })
  datasets!: number;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A page of storage platforms, ordered by name. */
export class PlatformPage implements CountedPage<PlatformResponse> {
  @ApiProperty({ type: [PlatformResponse] })
  items!: readonly PlatformResponse[];

  @ApiProperty({ type: 'integer', description: 'The number of items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'The cursor of the next page, or null on the last page.' })
  next_cursor!: string | null;
}
