const authority = 'http://publications.europa.eu/resource/authority';

/**
 * The JSON-LD context of published records: prefixes, and the types of values for which JSON has no type. Members
 * contain their prefix, so a reader understands them without the context.
 */
export const context = {
  '@version': 1.1,
  access: `${authority}/access-right/`,
  adms: 'http://www.w3.org/ns/adms#',
  csvw: 'http://www.w3.org/ns/csvw#',
  cv: 'http://data.europa.eu/m8g/',
  dcat: 'http://www.w3.org/ns/dcat#',
  dcatap: 'http://data.europa.eu/r5r/',
  dct: 'http://purl.org/dc/terms/',
  dpv: 'https://w3id.org/dpv#',
  eli: 'http://data.europa.eu/eli/ontology#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  gdpr: 'https://w3id.org/dpv/legal/eu/gdpr#',
  geodcatap: 'http://data.europa.eu/930/',
  health: 'http://healthdataportal.eu/ns/health#',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  obo: { '@id': 'http://purl.obolibrary.org/obo/', '@prefix': true },
  odrl: 'http://www.w3.org/ns/odrl/2/',
  personal: 'https://w3id.org/dpv/dpv-pd#',
  prov: 'http://www.w3.org/ns/prov#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  schema: 'http://schema.org/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  theme: `${authority}/data-theme/`,
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  'odrl:target': { '@type': '@id' },
  'odrl:action': { '@type': '@id' },
  'odrl:leftOperand': { '@type': '@id' },
  'odrl:operator': { '@type': '@id' },
  'skos:prefLabel': { '@language': 'en' },
  'dct:issued': { '@type': 'xsd:dateTime' },
  'dct:modified': { '@type': 'xsd:dateTime' },
  'schema:datePublished': { '@type': 'schema:DateTime' },
  'schema:dateModified': { '@type': 'schema:DateTime' },
  'prov:startedAtTime': { '@type': 'xsd:dateTime' },
  'prov:endedAtTime': { '@type': 'xsd:dateTime' },
  'dcat:byteSize': { '@type': 'xsd:nonNegativeInteger' },
  'dcat:endDate': { '@type': 'xsd:date' },
  'health:hasStructuredData': { '@type': 'xsd:boolean' },
  'health:minTypicalAge': { '@type': 'xsd:nonNegativeInteger' },
  'health:maxTypicalAge': { '@type': 'xsd:nonNegativeInteger' },
  'health:numberOfRecords': { '@type': 'xsd:nonNegativeInteger' },
  'health:numberOfUniqueIndividuals': { '@type': 'xsd:nonNegativeInteger' },
} as const;

/** The address of the catalog as linked data, relative to the base. */
export const catalogIri = 'api/dcat';

/** The vocabulary of the themes. */
export const themeTaxonomy = `${authority}/data-theme`;

/** The application profile that the catalog follows. */
export const dcatAp = 'https://semiceu.github.io/DCAT-AP/releases/3.0.1/';

/**
 * Returns the members with which every JSON-LD document begins: the complete context, so that no reader has to fetch
 * it, and the base of the IRIs.
 *
 * @param base an absolute IRI that ends in a slash
 * @returns JSON without the outer braces
 */
export function contextMembers(base: string): string {
  return `"@context":${JSON.stringify({ '@base': base, ...context })}`;
}
