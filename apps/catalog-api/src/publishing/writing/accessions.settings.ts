import { Setting } from '@rdc/settings';
import { Matches } from 'class-validator';

/** The settings of accessions. */
export class AccessionsSettings {
  @Setting({ description: 'Prefix of new accessions. An accession is this prefix followed by a number.' })
  @Matches(/^[A-Za-z][\w.:-]{0,31}$/, {
    message: 'ACCESSION_PREFIX must begin with a letter and contain 1 to 32 letters, digits or characters of _.:-',
  })
  ACCESSION_PREFIX = 'RDC_';
}
