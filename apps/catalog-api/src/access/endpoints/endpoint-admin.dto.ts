import { ApiProperty } from '@nestjs/swagger';
import { BodyMayBeMissing } from '@rdc/http';
import { Matches } from 'class-validator';
import { KeyState } from '../../platform/properties/key.dto.js';
import { type CountedPage, CountedPageResponse } from '../../platform/lists/page.dto.js';
import { PageParameters } from '../../platform/lists/page.dto.js';
import { Flag, InstantText, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { SearchText } from '../../platform/lists/search-text.js';
import { endpointKeyLength } from '../../people/keys/key-issuer.js';

const maxOverlapSeconds = 365 * 24 * 60 * 60;

const visibleAscii = new RegExp(`^[\\x21-\\x7e]{${String(endpointKeyLength)}}$`);

/** A key that the caller chooses: exactly 64 visible ASCII characters. */
function ChosenKey(): PropertyDecorator {
  const length = String(endpointKeyLength);
  const text = Text({
    description: `The key: exactly ${length} visible ASCII characters. If left out, the catalog generates a key.`,
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

/** The query of a list of endpoints. */
export class SearchEndpoints extends PageParameters {
  @SearchText('Part of the name.')
  q?: string;
}

/** A new endpoint. */
export class CreateEndpoint {
  @Text({ description: 'Name of the data catalog, unique among endpoints.', max: 128, min: 1 })
  name!: string;

  @Text({
    description: 'The address of a dataset at the endpoint; `${entity_id}` stands for the accession.',
    max: 256,
    optional: true,
  })
  url_pattern = '';

  @Flag({
    description: 'Whether the endpoint is public. Datasets at a public endpoint can be harvested without a key.',
    optional: true,
  })
  public = false;

  @ChosenKey()
  key?: string;
}

/** The changes of an endpoint. Absent members stay unchanged. */
export class UpdateEndpoint {
  @Text({ description: 'Name of the data catalog, unique among endpoints.', max: 128, min: 1, optional: true })
  name?: string;

  @Text({
    description: 'The address of a dataset at the endpoint; `${entity_id}` stands for the accession.',
    max: 256,
    optional: true,
  })
  url_pattern?: string;

  @Flag({
    description: 'Whether the endpoint is public. Datasets at a public endpoint can be harvested without a key.',
    optional: true,
  })
  public?: boolean;
}

/** The body of a request for a new key of an endpoint. */
@BodyMayBeMissing()
export class IssueEndpointKey {
  @ChosenKey()
  key?: string;

  @WholeNumber({
    description: 'For how many seconds the previous keys stay valid, so that clients can change to the new key.',
    min: 0,
    max: maxOverlapSeconds,
    optional: true,
  })
  overlap_seconds = 0;

  @InstantText({ description: 'The end of the key. If left out, the key has no end.', optional: true, nullable: true })
  expires_at?: string | null;
}

/** The state of an endpoint's key, without the key. */
export class EndpointKeyState extends KeyState {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  created_at!: Date;
}

/** An endpoint in answers to administrators. */
export class EndpointResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  url_pattern!: string;

  @ApiProperty()
  public!: boolean;

  @ApiProperty({
    type: [EndpointKeyState],
    description: 'The keys of the endpoint, newest first, including ended keys.',
  })
  keys!: readonly EndpointKeyState[];

  @ApiProperty({ type: 'integer', description: 'Number of datasets that are exposed to the endpoint now.' })
  active_exposures!: number;

  @ApiProperty()
  created_at!: Date;

  @ApiProperty()
  updated_at!: Date;
}

/** A dataset that is or was exposed to an endpoint. */
export class EndpointExposure {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  dataset_id!: number;

  @ApiProperty({ type: String, nullable: true })
  dataset_external_id!: string | null;

  @ApiProperty()
  dataset_name!: string;

  @ApiProperty({ type: 'integer', description: 'Number of the form at the access-request system.' })
  form_id!: number;

  @ApiProperty()
  released_at!: Date;

  @ApiProperty({ type: Date, nullable: true, description: 'Time of the withdrawal; null if the dataset is exposed.' })
  deprecated_at!: Date | null;
}

/** A page of the exposures to an endpoint, newest first. */
export class EndpointExposurePage extends CountedPageResponse implements CountedPage<EndpointExposure> {
  @ApiProperty({ type: [EndpointExposure] })
  items!: readonly EndpointExposure[];
}

/** A new endpoint with its key. No other answer contains the key. */
export class CreatedEndpoint extends EndpointResponse {
  @ApiProperty({ description: 'The key. No later answer contains it.' })
  key!: string;
}

/** A page of endpoints, sorted by name. */
export class EndpointPage extends CountedPageResponse implements CountedPage<EndpointResponse> {
  @ApiProperty({ type: [EndpointResponse] })
  items!: readonly EndpointResponse[];
}
