import { parseBoolean, parseNumber, Setting } from '@rdc/settings';
import { IsBoolean, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** The settings of exported records: their origin, their visibility and the memory of withdrawals. */
export class DocumentsSettings {
  @Setting({
    description:
      'Value of `source` in every exported record that was created in this catalog. If the value is a web address, the ' +
      'identifiers in linked data begin with it.',
    defaultText: 'the origin of the request',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  SERVER_URL?: string;

  @Setting({
    description:
      'Name of the organisation that runs the catalog. Exported records show it as the affiliation of custodians and ' +
      'personnel; linked data shows it as the publisher. If unset, exported records show no affiliation.',
  })
  @IsOptional()
  @IsString()
  HOME_ORGANISATION?: string;

  @Setting({
    description:
      'Whether permission to see a protected project includes the datasets and contracts of the project. If `false`, ' +
      'each dataset and contract requires a separate permission.',
    parse: parseBoolean,
  })
  @IsBoolean()
  PROTECTED_INHERITS = false;

  @Setting({
    description:
      'Days for which the catalog stores the time at which a record was withdrawn from a view. A harvester that reads less ' +
      'often must read the complete list again.',
    parse: parseNumber,
  })
  @IsInt()
  @Min(1)
  @Max(36500)
  WITHDRAWN_RETENTION_DAYS = 90;
}
