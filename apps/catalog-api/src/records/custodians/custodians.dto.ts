import { ApiProperty } from '@nestjs/swagger';
import { Ids } from '../../platform/properties/property.decorators.js';

/** Who answers for a dataset or a contract. */
export class SetCustodians {
  @Ids({ description: 'Ids of the users who are its local custodians, and thereby hold protected on it.' })
  custodians!: number[];
}

/** Who answers for a project and who works on it. */
export class SetProjectCustodians extends SetCustodians {
  @Ids({
    description: 'Ids of the users who work on it, which gives no rights; as they were when left out.',
    optional: true,
  })
  personnel?: number[];
}

/** A user of a record. */
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

/** The users of a record, by last and first name. */
export class CustodiansResponse {
  @ApiProperty({ type: [RecordUser] })
  custodians!: readonly RecordUser[];

  @ApiProperty({ type: [RecordUser], required: false, description: 'Of projects only.' })
  personnel?: readonly RecordUser[];
}
