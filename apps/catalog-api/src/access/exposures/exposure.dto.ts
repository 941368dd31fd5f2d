import { Flag, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { maxId } from '../../platform/database/ids.js';

/** To which endpoint a dataset is exposed, and how access is requested there. */
export class CreateExposure {
  @Text({ description: 'The name of the endpoint.', min: 1, max: 128 })
  endpoint!: string;

  @WholeNumber({ description: 'The form at the access-request system.', min: 0, max: maxId })
  form_id!: number;

  @Text({ description: 'The name of that form.', max: 500, optional: true, nullable: true })
  form_name?: string | null;

  @Flag({ description: 'Whether a request may be had as PDF.', optional: true, nullable: true })
  request_pdf_enabled?: boolean | null;
}

/** Why a dataset is withdrawn. */
export class DeprecateExposure {
  @Text({ description: 'Told to the endpoint as `deprecation_notes`.', min: 1, max: 10_000 })
  reason!: string;
}

/** An exposure as it is answered. */
export interface ExposureResponse {
  readonly id: number;
  /** The name of the endpoint. */
  readonly endpoint: string;
  readonly form_id: number;
  readonly form_name: string | null;
  readonly request_pdf_enabled: boolean;
  /** When the dataset was exposed; ISO 8601. */
  readonly released_date: string;
  readonly deprecated: boolean;
  readonly deprecation_date: string | null;
  readonly deprecation_notes: string | null;
}
