import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, Matches, MaxLength } from 'class-validator';
import { PageParameters, type CountedPage } from '../../platform/lists/page.dto.js';
import { elementOutcomes } from './decision.js';
import { refusalReasons, type RefusalReason } from './refused-entitlement.entity.js';

const reasonDescription =
  '`unknown_resource`: there was no such dataset; `refuted`: the access-request system knows of no such entitlement; ' +
  '`stale`: a grant of what had ended, which may be an old one that was delayed.';

/** Which refused entitlements an administrator asks for. */
export class SearchRefusedEntitlements extends PageParameters {
  @ApiPropertyOptional({ enum: refusalReasons, description: reasonDescription })
  @IsOptional()
  @IsIn(refusalReasons, { message: `reason must be one of ${refusalReasons.join(', ')}` })
  reason?: RefusalReason;

  @ApiPropertyOptional({ description: 'Only those of the person with this identifier at the identity provider.' })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'subject must not be empty' })
  @MaxLength(255)
  subject?: string;

  @ApiPropertyOptional({ description: 'Only those to this accession.' })
  @IsOptional()
  @Matches(/^[^\0]+$/, { message: 'resource must not be empty' })
  @MaxLength(255)
  resource?: string;
}

/** A claim of the access-request system that was not done. */
export class RefusedEntitlementResponse {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer', description: 'Number of the application at the access-request system.' })
  application!: number;

  @ApiProperty({ description: 'The accession that was posted.' })
  resource!: string;

  @ApiProperty({ description: 'Whether there is such a dataset now.' })
  resource_known!: boolean;

  @ApiProperty({ description: 'Identifier of the person at the identity provider.' })
  subject!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'date-time', nullable: true },
    description: 'The ends that were posted together; null: without end.',
  })
  ends!: (Date | null)[];

  @ApiProperty({ enum: refusalReasons, description: reasonDescription })
  reason!: RefusalReason;

  @ApiProperty({ type: 'integer', description: 'How often it was claimed in vain.' })
  posts!: number;

  @ApiProperty({ description: 'When it was first refused.' })
  created_at!: Date;

  @ApiProperty({ description: 'When it was last refused.' })
  updated_at!: Date;
}

/** A page of refused entitlements, the newest first. */
export class RefusedEntitlementPage implements CountedPage<RefusedEntitlementResponse> {
  @ApiProperty({ type: [RefusedEntitlementResponse] })
  items!: readonly RefusedEntitlementResponse[];

  @ApiProperty({ type: 'integer', description: 'Items on all pages.' })
  total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}

/** What trying a refused entitlement again led to. */
export class RetriedEntitlement {
  @ApiProperty({ enum: elementOutcomes, description: 'As in the answer to a post.' })
  outcome!: (typeof elementOutcomes)[number];

  @ApiProperty({ description: 'Whether it is off the list.' })
  done!: boolean;
}
