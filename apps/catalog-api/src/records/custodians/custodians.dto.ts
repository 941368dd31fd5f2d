import { ApiProperty } from '@nestjs/swagger';
import { Ids } from '../../platform/properties/property.decorators.js';

/** The new custodians of a dataset or a contract. */
export class SetCustodians {
  @Ids({
    description:
      'The ids of the users who become local custodians. A custodian holds the permission `protected` on the record.',
  })
  custodians!: number[];
}

/** The new custodians and personnel of a project. */
export class SetProjectCustodians extends SetCustodians {
  @Ids({
    description: 'The ids of the users who work on the project. Personnel has no rights. Unchanged if absent.',
    optional: true,
  })
  personnel?: number[];
}

/** A custodian or a member of the personnel of a record. */
export class RecordUser {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  first_name!: string;

  @ApiProperty()
  last_name!: string;

  @ApiProperty({ type: String, nullable: true })
  email!: string | null;

  @ApiProperty()
  principal_investigator!: boolean;

  @ApiProperty()
  active!: boolean;
}

/** The custodians and personnel of a record, ordered by last and first name. */
export class CustodiansResponse {
  @ApiProperty({ type: [RecordUser] })
  custodians!: readonly RecordUser[];

  @ApiProperty({
    type: [RecordUser],
    required: false,
    description: 'The personnel of a project. Absent for datasets and contracts.',
  })
  personnel?: readonly RecordUser[];
}
