import { ApiProperty } from '@nestjs/swagger';
import { maxNameLength } from '../../platform/database/lengths.js';
import { Text } from '../../platform/properties/property.decorators.js';

/** A change of the label of a consent code. */
export class UpdateUseClass {
  @Text({
    description: 'The label that exports contain. null restores the default label.',
    max: maxNameLength,
    min: 1,
    nullable: true,
  })
  label!: string | null;
}

/** A consent code with its label. */
export class UseClassResponse {
  @ApiProperty({ description: 'The consent code, as in `use_class` of a use condition.', example: 'GRU' })
  code!: string;

  @ApiProperty({ description: 'The label that exports contain.', example: 'General Research use and Clinical Care' })
  label!: string;

  @ApiProperty({ description: 'The label without a change by an administrator.' })
  default_label!: string;

  @ApiProperty({ type: 'integer', description: 'The number of datasets with a use condition of this code.' })
  datasets!: number;
}

/** All consent codes, in alphabetical order. */
export class UseClassList {
  @ApiProperty({ type: [UseClassResponse] })
  items!: readonly UseClassResponse[];
}
