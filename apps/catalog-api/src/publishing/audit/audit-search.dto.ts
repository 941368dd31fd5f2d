import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches, MaxLength } from 'class-validator';
import { PageParameters, type Page } from '../../platform/lists/page.dto.js';
import { InstantText } from '../../platform/properties/property.decorators.js';

/** A query parameter that must be equal to what stands in the trail. */
function Exactly(description: string): PropertyDecorator {
  const checks = [
    ApiPropertyOptional({ description, maxLength: 255 }),
    IsOptional(),
    Matches(/^[^\0]+$/, { message: '$property must not be empty' }),
    MaxLength(255),
  ];
  return (target, property) => {
    for (const check of checks) check(target, property);
  };
}

/** Which entries of the trail an administrator asks for; what is left out does not narrow them. */
export class SearchAudit extends PageParameters {
  @Exactly('The plural of the kind of record, as in its path: `users`, `datasets`, ...')
  resource?: string;

  @Exactly('Id of the record, as `id_at_source`. Needs `resource`. What was done to a dataset includes its exposures.')
  record_id?: string;

  @Exactly('Who made the write: `global`, `user:<id>`, or the name of a command or job.')
  actor?: string;

  @Exactly('What was done: `create`, `update`, `remove`, `issue-key`, ...')
  action?: string;

  @InstantText({ description: 'Only writes at this instant or later.', optional: true })
  from?: string;

  @InstantText({ description: 'Only writes before this instant.', optional: true })
  until?: string;
}

/** One write. */
export class AuditEntryResponse {
  @ApiProperty({ description: 'A number; later writes have larger ones.' })
  id!: string;

  @ApiProperty()
  at!: Date;

  @ApiProperty({ description: 'Who made it: `global`, `user:<id>`, or the name of a command or job.' })
  actor!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The name of that user, when it was one.' })
  actor_name!: string | null;

  @ApiProperty()
  action!: string;

  @ApiProperty()
  resource!: string;

  @ApiProperty()
  record_id!: string;

  @ApiProperty({ type: Object, nullable: true, description: 'The record before; null when there was none.' })
  before!: unknown;

  @ApiProperty({ type: Object, nullable: true, description: 'The record after; null when there is none any more.' })
  after!: unknown;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the request, as in the log.' })
  request_id!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The address from which the request came; null for commands and jobs.',
  })
  address!: string | null;
}

/** A page of the trail, newest first. */
export class AuditPage implements Page<AuditEntryResponse> {
  @ApiProperty({ type: [AuditEntryResponse] })
  items!: readonly AuditEntryResponse[];

  @ApiProperty({ type: String, nullable: true, description: 'Where the next page begins; null on the last.' })
  next_cursor!: string | null;
}
