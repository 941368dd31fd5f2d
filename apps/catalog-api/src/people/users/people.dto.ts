import { ApiProperty } from '@nestjs/swagger';

/** A person in a list of people. */
export class ListedPerson {
  @ApiProperty({ type: 'integer', example: 7 })
  id!: number;

  @ApiProperty({ description: 'The shown name.', example: 'Ada Lovelace' })
  text!: string;
}

/** The active people, by last and first name. */
export class PeopleResponse {
  @ApiProperty({ type: [ListedPerson] })
  results!: ListedPerson[];
}
