import { ApiProperty } from '@nestjs/swagger';
import { BodyMayBeMissing } from '@rdc/http';
import { Matches } from 'class-validator';
import { KeyState } from '../../platform/properties/key.dto.js';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { PageParameters } from '../../platform/lists/page.dto.js';
import { Flag, InstantText, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { endpointKeyLength } from '../../people/keys/key-issuer.js';

const maxOverlapSeconds = 365 * 24 * 60 * 60;

const visibleAscii = new RegExp(`^[\\x21-\\x7e]{${String(endpointKeyLength)}}$`);

/** A key that is brought along: exactly 64 visible ASCII characters. */
function PastedKey(): PropertyDecorator {
  const length = String(endpointKeyLength);
  const text = Text({
    description: `The key: exactly ${length} visible ASCII characters. One is made when none is given.`,
    min: endpointKeyLength,
    max: endpointKeyLength,
    optional: true,
  });
  const characters = Matches(visibleAscii, {
    message: `$property must have exactly ${length} characters, all of them visible ASCII`,
  });
  return (target, property) => {
    text(target, property);
    characters(target, property);
  };
}

/** Which endpoints an administrator asks for. */
export class SearchEndpoints extends PageParameters {
  @SearchText('Part of the name.')
  q?: string;
}

/** A new endpoint. */
export class CreateEndpoint {
  @Text({ description: 'Name of the data catalog; no two have the same.', max: 128, min: 1 })
  name!: string;

  @Text({
    description: 'Where a dataset stands there; `${entity_id}` stands for its accession.',
    max: 256,
    optional: true,
  })
  url_pattern = '';

  @Flag({
    description: 'Whether everybody may read there, so that what is exposed may be harvested without a key.',
    optional: true,
  })
  public = false;

  @PastedKey()
  key?: string;
}

/** What is to be different about an endpoint; what is left out stays. */
export class UpdateEndpoint {
  @Text({ description: 'Name of the data catalog; no two have the same.', max: 128, min: 1, optional: true })
  name?: string;

  @Text({
    description: 'Where a dataset stands there; `${entity_id}` stands for its accession.',
    max: 256,
    optional: true,
  })
  url_pattern?: string;

  @Flag({
    description: 'Whether everybody may read there, so that what is exposed may be harvested without a key.',
    optional: true,
  })
  public?: boolean;
}

/** How an endpoint's new key is wanted. */
@BodyMayBeMissing()
export class IssueEndpointKey {
  @PastedKey()
  key?: string;

  @WholeNumber({
    description: 'For how long the keys before it stay valid, so that nothing breaks while it is brought out.',
    min: 0,
    max: maxOverlapSeconds,
    optional: true,
  })
  overlap_seconds = 0;

  @InstantText({ description: 'When the key ends; never when left out.', optional: true, nullable: true })
  expires_at?: string | null;
}

/** A key of an endpoint, as it is shown: never the key itself. */
export class EndpointKeyState extends KeyState {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  created_at!: Date;
}

/** An endpoint, as administrators see it. */
export class EndpointResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  url_pattern!: string;

  @ApiProperty()
  public!: boolean;

  @ApiProperty({ type: [EndpointKeyState], description: 'Its keys, ended ones too, newest first.' })
  keys!: readonly EndpointKeyState[];

  @ApiProperty({ type: 'integer', description: 'Datasets that are exposed to it now.' })
  active_exposures!: number;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A dataset at an endpoint: now, or formerly. */
export class EndpointExposure {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  dataset_id!: number;

  @ApiProperty({ type: String, nullable: true })
  dataset_external_id!: string | null;

  @ApiProperty()
  dataset_name!: string;

  @ApiProperty({ type: 'integer', description: 'The form at the access-request system.' })
  form_id!: number;

  @ApiProperty()
  released_at!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'When it was withdrawn; null while it is shown.' })
  deprecated_at!: Date | null;
}

/** A page of what an endpoint shows and did show, the newest first. */
export class EndpointExposurePage implements CountedPage<EndpointExposure> {
  @ApiProperty({ type: [EndpointExposure] })
  items!: readonly EndpointExposure[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}

/** A new endpoint with its key, the only time that is shown. */
export class CreatedEndpoint extends EndpointResponse {
  @ApiProperty({ description: 'The key. It is shown here and never again.' })
  key!: string;
}

/** A page of endpoints, by name. */
export class EndpointPage implements CountedPage<EndpointResponse> {
  @ApiProperty({ type: [EndpointResponse] })
  items!: readonly EndpointResponse[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}
