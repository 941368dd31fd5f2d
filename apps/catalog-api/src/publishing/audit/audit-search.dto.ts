import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches, MaxLength } from 'class-validator';
import { PageParameters, type Page } from '../../platform/lists/page.dto.js';
import { InstantText } from '../../platform/properties/property.decorators.js';

/** Decorates a query parameter that is compared for equality. */
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

/** The query of the audit trail. Absent parameters do not restrict the result. */
export class SearchAudit extends PageParameters {
  @Exactly('The plural of the kind of record, as in its path: `users`, `datasets`, ...')
  resource?: string;

  @Exactly(
    'Id of the record, as `id_at_source`. Requires `resource`. The writes of a dataset include those of its exposures.',
  )
  record_id?: string;

  @Exactly('The actor of the write: `global`, `user:<id>`, or the name of a command or job.')
  actor?: string;

  @Exactly('The action: `create`, `update`, `remove`, `issue-key`, ...')
  action?: string;

  @InstantText({ description: 'Only writes at this instant or later.', optional: true })
  from?: string;

  @InstantText({ description: 'Only writes before this instant.', optional: true })
  until?: string;
}

/** One write. */
export class AuditEntryResponse {
  @ApiProperty({ description: 'A number. Later writes have larger numbers.' })
  id!: string;

  @ApiProperty()
  at!: Date;

  @ApiProperty({ description: 'The actor: `global`, `user:<id>`, or the name of a command or job.' })
  actor!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The name, or else the e-mail address, of the actor if the actor is a user.',
  })
  actor_name!: string | null;

  @ApiProperty()
  action!: string;

  @ApiProperty()
  resource!: string;

  @ApiProperty()
  record_id!: string;

  @ApiProperty({
    type: Object,
    nullable: true,
    description: 'The record before the write; null if the write created the record.',
  })
  before!: unknown;

  @ApiProperty({
    type: Object,
    nullable: true,
    description: 'The record after the write; null if the write removed the record.',
  })
  after!: unknown;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the request in the log.' })
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

  @ApiProperty({ type: String, nullable: true, description: 'The start of the next page; null on the last page.' })
  next_cursor!: string | null;
}
