type Node = Readonly<Record<string, unknown>>;

/** The facts of the centre that the settings state. */
export interface CentreFacts {
  readonly DATA_CONTACT_EMAIL?: string | undefined;
  readonly DATA_CONTACT_PAGE?: string | undefined;
  readonly ACCESS_BODY?: string | undefined;
}

/** The members of a record or the settings of the centre that state a fact. One of them is sufficient. */
export interface Place {
  readonly fields: readonly string[];
  readonly settings: readonly string[];
}

/** A fact that the national catalogue of health datasets requires. */
export interface RequiredFact extends Place {
  readonly name: string;
  /** The property of the fact in linked data, with its prefix. */
  readonly property: string;
  readonly isStated: boolean;
}

const field = (...fields: string[]): Place => ({ fields, settings: [] });
const healthField = (member: string): Place => field(`metadata.healthdcat.${member}`);
const setting = (...settings: string[]): Place => ({ fields: [], settings });

/** The place of each fact that people state and linked data shows, by its property. */
const places = {
  'adms:identifier': field('other_external_id'),
  'csvw:datatype': healthField('variables'),
  'cv:contactPoint': setting('DATA_CONTACT_EMAIL', 'DATA_CONTACT_PAGE', 'DATA_HOLDER_EMAIL', 'ACCESS_BODY_EMAIL'),
  'dcat:contactPoint': setting('DATA_CONTACT_EMAIL', 'DATA_CONTACT_PAGE'),
  'dcat:keyword': field('data_declarations[].data_types', 'metadata.keywords'),
  // The catalog derives the theme Health from the category.
  'dcat:theme': healthField('categories'),
  'dcatap:applicableLegislation': setting('APPLICABLE_LEGISLATION'),
  'dct:accessRights': field('data_declarations[].access_category'),
  'dct:description': field('description'),
  'dct:identifier': field('external_id'),
  'dct:provenance': healthField('provenance'),
  'dct:publisher': setting('HOME_ORGANISATION', 'DATA_CONTACT_EMAIL', 'DATA_CONTACT_PAGE'),
  'dct:subject': field('metadata.terms'),
  'dct:title': field('name'),
  'dct:type': healthField('dataset_types'),
  'dpv:hasLegalBasis': field('legal_bases[].legal_basis_codes'),
  'dpv:hasPersonalData': field('legal_bases[].personal_data_codes'),
  'dpv:hasPurpose': healthField('purpose'),
  'foaf:name': setting('HOME_ORGANISATION', 'DATA_HOLDER', 'ACCESS_BODY'),
  'geodcatap:custodian': setting('DATA_HOLDER', 'DATA_CONTACT_EMAIL', 'DATA_CONTACT_PAGE'),
  'health:hasStructuredData': healthField('structured'),
  'health:hasVariables': healthField('variables'),
  'health:hdab': setting('ACCESS_BODY'),
  'health:healthCategory': healthField('categories'),
  'health:healthTheme': healthField('themes'),
  'health:maxTypicalAge': healthField('max_age'),
  'health:minTypicalAge': healthField('min_age'),
  'health:numberOfRecords': field('metadata.number_of_records'),
  'health:numberOfUniqueIndividuals': field('metadata.number_of_individuals'),
  'health:populationCoverage': healthField('population'),
  'health:retentionPeriod': field('data_declarations[].storage_end_date'),
} as const satisfies Readonly<Record<string, Place>>;

type Property = keyof typeof places;

/** Returns the place of the fact behind a property of linked data, or undefined if no person states the fact. */
export function placeOf(property: string): Place | undefined {
  return Object.hasOwn(places, property) ? places[property as Property] : undefined;
}

/** Returns a place as text for an operator. */
export function placeText({ fields, settings }: Place): string {
  return [...fields, ...settings.map((name) => `the setting ${name}`)].join(' or ');
}

/** The facts that HealthDCAT-AP requires and that the catalog cannot derive, by name. */
const requirements: readonly (readonly [name: string, property: Property])[] = [
  ['description', 'dct:description'],
  ['keyword', 'dcat:keyword'],
  ['health_category', 'health:healthCategory'],
  ['structured_data', 'health:hasStructuredData'],
  ['variables', 'health:hasVariables'],
  ['provenance', 'dct:provenance'],
  ['dataset_type', 'dct:type'],
  ['contact', 'dcat:contactPoint'],
  ['access_body', 'health:hdab'],
];

/**
 * Returns the facts that HealthDCAT-AP requires and that the catalog cannot derive. Facts that the profile requires only of
 * datasets that are not public are included, because the access to a dataset can change.
 *
 * @param dataset the JSON-LD of a dataset
 */
export function requiredFacts(dataset: Node, centre: CentreFacts): RequiredFact[] {
  const decided: Partial<Record<Property, boolean>> = {
    'dct:description': dataset['dct:description'] !== dataset['dct:title'],
    'health:hasVariables': dataset['health:hasStructuredData'] !== true || 'health:hasVariables' in dataset,
    'dcat:contactPoint': (centre.DATA_CONTACT_EMAIL ?? centre.DATA_CONTACT_PAGE) !== undefined,
    'health:hdab': centre.ACCESS_BODY !== undefined,
  };
  return requirements.map(([name, property]) => ({
    name,
    property,
    ...places[property],
    isStated: decided[property] ?? property in dataset,
  }));
}
