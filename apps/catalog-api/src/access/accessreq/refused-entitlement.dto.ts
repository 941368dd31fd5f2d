import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { type CountedPage, CountedPageResponse, PageParameters } from '../../platform/lists/page.dto.js';
import { elementOutcomes } from './decision.js';
import { refusalReasons, type RefusalReason } from './refused-entitlement.entity.js';

const reasonDescription =
  '`unknown_resource`: the dataset did not exist. `refuted`: the access-request system has no such entitlement. ' +
  '`stale`: a grant of an access that had ended; the post may be a delayed old grant.';

/** The query of a list of refused entitlements. */
export class SearchRefusedEntitlements extends PageParameters {
  @ApiPropertyOptional({ enum: refusalReasons, description: reasonDescription })
  @IsOptional()
  @IsIn(refusalReasons, { message: `reason must be one of ${refusalReasons.join(', ')}` })
  reason?: RefusalReason;

  @ApiPropertyOptional({
    description: 'Only entitlements of the person with this identifier at the identity provider.',
  })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'subject must not be empty' })
  @MaxLength(255)
  subject?: string;

  @ApiPropertyOptional({ description: 'Only entitlements to the dataset with this accession.' })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'resource must not be empty' })
  @MaxLength(255)
  resource?: string;
}

/** A claim of the access-request system that was refused. */
export class RefusedEntitlementResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer', description: 'Number of the application at the access-request system.' })
  application!: number;

  @ApiProperty({ description: 'The accession that was posted.' })
  resource!: string;

  @ApiProperty({ description: 'Whether the dataset exists now.' })
  resource_known!: boolean;

  @ApiProperty({ description: 'Identifier of the person at the identity provider.' })
  subject!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'date-time', nullable: true },
    description: 'The ends that were posted together; null for no end.',
  })
  ends!: (Date | null)[];

  @ApiProperty({ enum: refusalReasons, description: reasonDescription })
  reason!: RefusalReason;

  @ApiProperty({ type: 'integer', description: 'Number of posts that were refused.' })
  posts!: number;

  @ApiProperty({ description: 'Time of the first refusal of the claim.' })
  created_at!: Date;

  @ApiProperty({ description: 'Time of the latest refusal of the claim.' })
  updated_at!: Date;
}

/** A page of refused entitlements, newest first. */
export class RefusedEntitlementPage extends CountedPageResponse implements CountedPage<RefusedEntitlementResponse> {
  @ApiProperty({ type: [RefusedEntitlementResponse] })
  items!: readonly RefusedEntitlementResponse[];
}

/** The result of a retry of a refused entitlement. */
export class RetriedEntitlement {
  @ApiProperty({ enum: elementOutcomes, description: 'The outcome, as in the answer to a post.' })
  outcome!: (typeof elementOutcomes)[number];

  @ApiProperty({ description: 'Whether the entitlement was applied and removed from the list.' })
  done!: boolean;
}
