import { Matches } from 'class-validator';
import { InstantText, OneOf, Text, WholeNumber } from '../../platform/properties/property.decorators.js';
import { importEventTypes } from './event-types.js';

/** The end of an import or a verification, as the provisioner reports it. */
export class ImportEvent {
  @OneOf(importEventTypes, { description: 'The type of the event.' })
  type!: (typeof importEventTypes)[number];

  @Text({ description: 'The id of the import.', max: 26, min: 26 })
  @Matches(/^[0-9A-HJKMNP-TV-Z]{26}$/, { message: '$property must be the id of an import' })
  import_id!: string;

  @WholeNumber({ description: 'The number of the attempt, from 1.', min: 1, max: 2 ** 31 - 1 })
  attempt!: number;

  @OneOf(['dataset', 'submission'], { description: 'Whether the subject is a dataset or a submission.' })
  kind!: 'dataset' | 'submission';

  @Text({ description: 'The id of the dataset or the reference of the submission.', max: 255, min: 1 })
  id!: string;

  @Text({ description: 'The code of the failure; null if the import finished.', max: 64, nullable: true })
  code!: string | null;

  @InstantText({ description: 'The end of the import.' })
  finished_at!: string;
}
