import { ApiProperty } from '@nestjs/swagger';
import { facetNames, type FacetName } from './record-list.dto.js';

/** A value of a facet. */
export class FacetValue {
  @ApiProperty({ description: 'The value of the query parameter that selects these records.' })
  value!: string;

  @ApiProperty({ description: 'The name or label of the value.' })
  label!: string;

  @ApiProperty({ type: 'integer', description: 'The number of counted records with the value.' })
  count!: number;
}

/** A property by which a list can be filtered. */
export class FacetItem {
  @ApiProperty({
    enum: [...facetNames, 'published'],
    example: 'access',
    description: 'The name of the query parameter.',
  })
  name!: FacetName | 'published';

  @ApiProperty({ type: [FacetValue], description: 'At most 30 values, those with the most records first.' })
  values!: FacetValue[];
}

/** The facets of a list. */
export class FacetResponse {
  @ApiProperty({ type: [FacetItem] })
  facets!: FacetItem[];

  @ApiProperty({ type: 'integer', description: 'The number of counted records, at most 5000.' })
  counted!: number;

  @ApiProperty({ description: 'Whether every matching record was counted. If not, each count is a lower bound.' })
  complete!: boolean;
}
