import { Injectable } from '@nestjs/common';
import { DocumentsSettings } from '../../publishing/documents/documents.settings.js';
import { CentreSettings } from './centre.settings.js';
import { catalogIri } from './context.js';

/** Members of a JSON-LD object. */
type Members = Readonly<Record<string, unknown>>;

/** Describes the organisations that are the same for every dataset: publisher, contact, data holder and access body. */
@Injectable()
export class Centre {
  /** The legislation under which the datasets are described. */
  readonly legislation: Members;

  constructor(
    private readonly settings: CentreSettings,
    private readonly documents: DocumentsSettings,
  ) {
    this.legislation = { '@id': settings.APPLICABLE_LEGISLATION, '@type': 'eli:LegalResource' };
  }

  /** Returns the name of the organisation that publishes the catalog at a base. */
  nameAt(base: string): string {
    return this.documents.HOME_ORGANISATION ?? URL.parse(base)?.host ?? 'this centre';
  }

  /** Returns the publisher of the catalog. */
  publisher(base: string): Members {
    const { DATA_CONTACT_EMAIL: email, DATA_CONTACT_PAGE: page } = this.settings;
    return {
      'dct:publisher': agent('publisher', this.nameAt(base), { email, page }),
      'schema:publisher': reference('publisher'),
    };
  }

  /** Returns the members of every dataset that name the organisations, whose descriptions are in the same members. */
  ofDataset(base: string): Members {
    const { DATA_CONTACT_EMAIL, DATA_CONTACT_PAGE, DATA_HOLDER, DATA_HOLDER_EMAIL, ACCESS_BODY, ACCESS_BODY_EMAIL } =
      this.settings;
    return {
      ...this.publisher(base),
      'dcatap:applicableLegislation': this.legislation,
      'geodcatap:custodian': DATA_HOLDER
        ? agent('data-holder', DATA_HOLDER, { email: DATA_HOLDER_EMAIL })
        : reference('publisher'),
      ...(ACCESS_BODY && { 'health:hdab': agent('access-body', ACCESS_BODY, { email: ACCESS_BODY_EMAIL }) }),
      ...((DATA_CONTACT_EMAIL ?? DATA_CONTACT_PAGE) && {
        'dcat:contactPoint': contact(this.nameAt(base), this.settings),
      }),
    };
  }

  /** Returns the same members as `ofDataset`, but with references only. `described` returns the descriptions. */
  referencesOfDataset(base: string): Members {
    return Object.fromEntries(
      Object.entries(this.ofDataset(base)).map(([member, value]) => [member, { '@id': (value as Members)['@id'] }]),
    );
  }

  /** Returns the descriptions of the organisations other than the publisher. */
  described(base: string): Members[] {
    const publisher = reference('publisher')['@id'];
    return (Object.values(this.ofDataset(base)) as Members[]).filter(
      (each) => each['@type'] !== undefined && each !== this.legislation && each['@id'] !== publisher,
    );
  }
}

function reference(part: string): Members {
  return { '@id': `${catalogIri}#${part}` };
}

function agent(
  part: string,
  name: string,
  contact: { email?: string | undefined; page?: string | undefined },
): Members {
  const { email, page } = contact;
  return {
    ...reference(part),
    '@type': ['foaf:Agent', 'schema:Organization'],
    'foaf:name': name,
    'schema:name': name,
    ...(email && { 'foaf:mbox': { '@id': `mailto:${email}` } }),
    ...((email ?? page) && {
      'cv:contactPoint': {
        ...reference(`${part}-contact`),
        '@type': 'cv:ContactPoint',
        ...(email && { 'cv:email': email }),
        ...(page && { 'cv:contactPage': { '@id': page, '@type': 'foaf:Document' } }),
      },
    }),
  };
}

function contact(name: string, { DATA_CONTACT_EMAIL: email, DATA_CONTACT_PAGE: page }: CentreSettings): Members {
  return {
    ...reference('contact'),
    '@type': 'vcard:Kind',
    'vcard:fn': name,
    ...(email && { 'vcard:hasEmail': { '@id': `mailto:${email}` } }),
    ...(page && { 'vcard:hasURL': { '@id': page } }),
  };
}
