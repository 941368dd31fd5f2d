import { ApiProperty } from '@nestjs/swagger';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { Flag, Text } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';

const isPublic = 'Whether endpoints are shown its name and the paths on it.';

/** Which storage platforms an administrator asks for. */
export class SearchPlatforms extends PageParameters {
  @SearchText('Part of the name.')
  q?: string;
}

/** A new storage platform. */
export class CreatePlatform {
  @Text({ description: 'Name; no two have the same.', max: 200, min: 1 })
  name!: string;

  @Flag({ description: isPublic, optional: true })
  public = false;
}

/** What is to be different about a storage platform; what is left out stays. */
export class UpdatePlatform {
  @Text({ description: 'Name; no two have the same.', max: 200, min: 1, optional: true })
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

  @ApiProperty({ type: 'integer', description: 'Datasets of which something lies there.' })
  datasets!: number;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A page of storage platforms, by name. */
export class PlatformPage implements CountedPage<PlatformResponse> {
  @ApiProperty({ type: [PlatformResponse] })
  items!: readonly PlatformResponse[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}
