import { Flag, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
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
    max: 10_000,
  })
  reason!: string;
}

/** An exposure in answers. */
export interface ExposureResponse {
  readonly id: number;
  /** The name of the endpoint. */
  readonly endpoint: string;
  readonly form_id: number;
  readonly form_name: string | null;
  readonly request_pdf_enabled: boolean;
  /** When the dataset was exposed, in ISO 8601. */
  readonly released_date: string;
  readonly deprecated: boolean;
  readonly deprecation_date: string | null;
  readonly deprecation_notes: string | null;
}
