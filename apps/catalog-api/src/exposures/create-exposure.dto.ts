import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { maxId } from '../schemas/json-schema.js';

/** To which endpoint a dataset is exposed, and how access is requested there. */
export class CreateExposure {
  @ApiProperty({ description: 'The name of the endpoint.', maxLength: 128 })
  @IsString({ message: 'endpoint must be text' })
  @IsNotEmpty({ message: 'endpoint must not be empty' })
  @MaxLength(128, { message: 'endpoint must have at most 128 characters' })
  endpoint!: string;

  @ApiProperty({ type: 'integer', description: 'The form at the access-request system.' })
  @IsInt({ message: 'form_id must be a whole number' })
  @Min(0, { message: 'form_id must be at least 0' })
  @Max(maxId, { message: `form_id must be at most ${String(maxId)}` })
  form_id!: number;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'The name of that form.', maxLength: 500 })
  @IsOptional()
  @IsString({ message: 'form_name must be text' })
  @MaxLength(500, { message: 'form_name must have at most 500 characters' })
  form_name?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'Whether a request may be had as PDF.',
    default: false,
  })
  @IsOptional()
  @IsBoolean({ message: 'request_pdf_enabled must be true or false' })
  request_pdf_enabled?: boolean | null;
}

/** Why a dataset is withdrawn. */
export class DeprecateExposure {
  @ApiProperty({ description: 'Told to the endpoint as `deprecation_notes`.', maxLength: 10_000 })
  @IsString({ message: 'reason must be text' })
  @IsNotEmpty({ message: 'reason must not be empty' })
  @MaxLength(10_000, { message: 'reason must have at most 10000 characters' })
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
