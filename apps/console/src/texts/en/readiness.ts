/** Texts about the facts that the national catalogue of health datasets requires. */
export const readiness = {
  tab: 'National catalogue',
  hint: 'The European Health Data Space obliges data holders to describe health datasets. These facts are required.',
  count: (stated: number, required: number): string =>
    `Ready for the national catalogue: ${String(stated)} of ${String(required)} facts are stated.`,
  ready: 'Ready',
  missing: 'Missing facts',
  or: ' or ',
  bySetting: (fact: string, settings: readonly string[]): string =>
    `${fact}: an administrator sets ${settings.join(' or ')}`,
  fieldOf: (field: string): string => field.replace(/^metadata\./, '').replaceAll('_', ' '),
  facts: {
    description: 'Description',
    keyword: 'Keyword: a type of data in a declaration',
    health_category: 'Health category',
    structured_data: 'Structured data',
    variables: 'Variables',
    provenance: 'Provenance',
    dataset_type: 'Dataset type',
    contact: 'Contact',
    access_body: 'Health data access body',
  } as Readonly<Record<string, string>>,
  /** Labels of the members of the health description. */
  fields: {
    categories: 'Health categories',
    themes: 'Health themes',
    dataset_types: 'Dataset types',
    structured: 'Structured data',
    variables: 'Variables',
    datatype: 'Datatype',
    provenance: 'Provenance',
    purpose: 'Purpose',
    population: 'Population',
    min_age: 'Lowest typical age',
    max_age: 'Highest typical age',
  },
};
