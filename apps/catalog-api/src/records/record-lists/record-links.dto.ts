import { ApiProperty } from '@nestjs/swagger';
import type { ListName } from '../../publishing/documents/list-names.js';
import { RecordRow } from './record-list.dto.js';

/** The largest number of linked records of a kind in one response. */
export const mostLinked = 50;

/** The linked records of one kind. */
export class RecordsOfKind {
  @ApiProperty({ type: [RecordRow], description: `The first ${String(mostLinked)} records by name.` })
  items!: readonly RecordRow[];

  @ApiProperty({ type: 'integer', description: 'The number of linked records that the caller may read.' })
  total!: number;
}

/** The records that are linked with a record, by kind. */
export class RecordLinks implements Record<ListName, RecordsOfKind> {
  @ApiProperty({
    description: 'Of a cohort: the projects of its datasets. Of a partner: the projects of its contracts.',
  })
  projects!: RecordsOfKind;

  @ApiProperty({
    description:
      'Of a contract: the datasets of its project. Of a partner: transferred datasets. Of a cohort: datasets with data of the cohort.',
  })
  datasets!: RecordsOfKind;

  @ApiProperty({ description: 'Of a dataset: the contracts of its project. Of a partner: the contracts that name it.' })
  contracts!: RecordsOfKind;

  @ApiProperty({
    description:
      'Of a project: the partners of its contracts. Of a dataset: the partners of its transfers. Of a cohort: its institutes.',
  })
  partners!: RecordsOfKind;

  @ApiProperty({ description: 'Of a project: the cohorts of its datasets. Of a partner: the cohorts that it runs.' })
  cohorts!: RecordsOfKind;
}
