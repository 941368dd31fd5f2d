import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { elementOutcomes } from './decision.js';
import type { EntitlementKey } from './entitlement.js';

/** An element of a post, for the documentation. `readEntitlements` validates posts. */
export class PostedEntitlement {
  @ApiProperty({ type: 'integer', description: 'Number of the application in the access-request system.', example: 12 })
  application!: number;

  @ApiProperty({ description: 'Accession of the dataset.', example: 'RDC_11' })
  resource!: string;

  @ApiProperty({ description: 'Identifier of the person at the identity provider.', example: 'f3c1b2a4' })
  user!: string;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'ada@example.org' })
  mail?: string | null;

  @ApiPropertyOptional({
    ...{ type: String, nullable: true, format: 'date-time' },
    description: 'The end of the entitlement. If null, the default duration applies.',
  })
  end?: string | null;
}

/** The outcome of one element of a post. */
export class ElementResult implements EntitlementKey {
  @ApiProperty({ type: 'integer', description: 'Index of the element in the body.', example: 0 })
  index!: number;

  @ApiProperty({ type: 'integer', example: 12 })
  application!: number;

  @ApiProperty({ example: 'RDC_11' })
  resource!: string;

  @ApiProperty({ example: 'f3c1b2a4' })
  user!: string;

  @ApiProperty({
    enum: elementOutcomes,
    description:
      '`precreated`: stored until the person is found. `unknown_resource`: the dataset does not exist, and the element has no effect.',
  })
  outcome!: (typeof elementOutcomes)[number];
}

/** The answer to a post. The sender takes only the status 200 as success. */
export class AccessRequestResponse {
  @ApiProperty({ enum: ['Success'] })
  status!: 'Success';

  @ApiProperty({ type: [ElementResult] })
  results!: ElementResult[];
}
