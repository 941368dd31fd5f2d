import { Setting } from '@rdc/settings';
import { IsEmail, IsOptional, IsString, IsUrl } from 'class-validator';

const webAddress = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** The facts that linked data states about the centre: who answers questions, holds the data and decides on access. */
export class CentreSettings {
  @Setting({
    description:
      'E-mail address that answers questions about the published datasets. Linked data shows it as the contact of ' +
      'every dataset and of the publisher. HealthDCAT-AP requires `DATA_CONTACT_EMAIL` or `DATA_CONTACT_PAGE`.',
  })
  @IsOptional()
  @IsEmail({ require_tld: false })
  DATA_CONTACT_EMAIL?: string;

  @Setting({
    description: 'Web page with the contact of the centre, which linked data shows like `DATA_CONTACT_EMAIL`.',
  })
  @IsOptional()
  @IsUrl(webAddress)
  DATA_CONTACT_PAGE?: string;

  @Setting({
    description:
      'Name of the data holder (custodian) of the published datasets, for example the hospital that operates the ' +
      'centre. If unset, the data holder is `HOME_ORGANISATION` with the contact of the centre.',
  })
  @IsOptional()
  @IsString()
  DATA_HOLDER?: string;

  @Setting({ description: 'E-mail address of the data holder. Required if `DATA_HOLDER` is set.' })
  @IsOptional()
  @IsEmail({ require_tld: false })
  DATA_HOLDER_EMAIL?: string;

  @Setting({
    description:
      'Name of the health data access body that decides on requests for the published datasets (article 55 of ' +
      'Regulation (EU) 2025/327). HealthDCAT-AP requires it.',
  })
  @IsOptional()
  @IsString()
  ACCESS_BODY?: string;

  @Setting({ description: 'E-mail address of the health data access body. Required if `ACCESS_BODY` is set.' })
  @IsOptional()
  @IsEmail({ require_tld: false })
  ACCESS_BODY_EMAIL?: string;

  @Setting({
    description:
      'IRI of the legislation under which the datasets are described, as a European Legislation Identifier. The ' +
      'default is the Regulation on the European Health Data Space.',
  })
  @IsUrl(webAddress)
  APPLICABLE_LEGISLATION = 'http://data.europa.eu/eli/reg/2025/327/oj';

  check(): string[] {
    return (['DATA_HOLDER', 'ACCESS_BODY'] as const)
      .filter((name) => (this[name] === undefined) !== (this[`${name}_EMAIL`] === undefined))
      .map((name) => `${name} and ${name}_EMAIL must be set together`);
  }
}
