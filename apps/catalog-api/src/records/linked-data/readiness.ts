type Node = Readonly<Record<string, unknown>>;

/** A fact that the national catalogue of health datasets requires. */
export interface RequiredFact {
  readonly name: string;
  /** The place in which a steward or an operator states the fact. */
  readonly place: string;
  readonly isStated: boolean;
}

/** The facts of the centre that the settings state. */
export interface CentreFacts {
  readonly DATA_CONTACT_EMAIL?: string | undefined;
  readonly DATA_CONTACT_PAGE?: string | undefined;
  readonly ACCESS_BODY?: string | undefined;
}

/**
 * Returns the facts that HealthDCAT-AP requires and that the catalog cannot derive. Facts that the profile requires only of
 * datasets that are not public are included, because the access to a dataset can change.
 *
 * @param dataset the JSON-LD of a dataset
 */
export function requiredFacts(dataset: Node, centre: CentreFacts): RequiredFact[] {
  const has = (member: string): boolean => dataset[member] !== undefined;
  const stated = (member: string): string => `metadata.healthdcat.${member}`;
  const isDescribed = dataset['dct:description'] !== dataset['dct:title'];
  const variables = dataset['health:hasStructuredData'] !== true || has('health:hasVariables');
  const facts: readonly (readonly [name: string, place: string, isStated: boolean])[] = [
    ['description', 'description', isDescribed],
    ['keyword', 'data_declarations[].data_types or metadata.keywords', has('dcat:keyword')],
    ['health category', stated('categories'), has('health:healthCategory')],
    ['structured data', stated('structured'), has('health:hasStructuredData')],
    ['variables', stated('variables'), variables],
    ['provenance', stated('provenance'), has('dct:provenance')],
    ['dataset type', stated('dataset_types'), has('dct:type')],
    [
      'contact',
      'the setting DATA_CONTACT_EMAIL or DATA_CONTACT_PAGE',
      (centre.DATA_CONTACT_EMAIL ?? centre.DATA_CONTACT_PAGE) !== undefined,
    ],
    ['access body', 'the setting ACCESS_BODY', centre.ACCESS_BODY !== undefined],
  ];
  return facts.map(([name, place, isStated]) => ({ name, place, isStated }));
}
