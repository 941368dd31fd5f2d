import { ApiProperty } from '@nestjs/swagger';
import { Flag, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { maxNotes } from '../../publishing/schemas/json-schema.js';
import { maxId } from '../../platform/database/ids.js';

/** The body of a request to expose a dataset. */
export class CreateExposure {
  @Text({ description: 'The name of the endpoint.', min: 1, max: 128 })
  endpoint!: string;

  @WholeNumber({
    description:
      'Number of the form with which access is requested at the access-request system. Required if such a system is connected; otherwise 0 by default.',
    min: 0,
    max: maxId,
    optional: true,
  })
  form_id?: number;

  @Text({ description: 'Name of the form at the access-request system.', max: 500, optional: true, nullable: true })
  form_name?: string | null;

  @Flag({ description: 'Whether a request for access can be downloaded as PDF.', optional: true, nullable: true })
  request_pdf_enabled?: boolean | null;
}

/** The body of a request to withdraw a dataset from an endpoint. */
export class DeprecateExposure {
  @Text({
    description: 'The reason of the withdrawal. The endpoint reads it as `deprecation_notes`.',
    min: 1,
    max: maxNotes,
  })
  reason!: string;
}

/** An exposure in answers. */
export class ExposureResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ description: 'The name of the endpoint.' })
  endpoint!: string;

  @ApiProperty({ type: 'integer' })
  form_id!: number;

  @ApiProperty({ type: String, nullable: true })
  form_name!: string | null;

  @ApiProperty()
  request_pdf_enabled!: boolean;

  @ApiProperty({ format: 'date-time', description: 'The time at which the dataset was exposed.' })
  released_date!: string;

  @ApiProperty()
  deprecated!: boolean;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  deprecation_date!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The reason of the withdrawal.' })
  deprecation_notes!: string | null;
}

/** The exposures of a dataset, oldest first. */
export class ExposureListResponse {
  @ApiProperty({ type: [ExposureResponse] })
  results!: ExposureResponse[];
}
