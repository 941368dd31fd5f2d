import { createHash } from 'node:crypto';
import type { Representation } from './rdf-format.js';
import { StatementReader } from './statements.js';

type Node = Readonly<Record<string, unknown>>;

const style = `body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{line-height:1.2}dt{font-weight:600;margin-top:.75rem}dd{margin:0}pre,p{white-space:pre-wrap;font:inherit}a{color:#0b57a4}`;

/** The page of a dataset for people. It contains no program, and no other page may embed it. */
export const landingPageFormat: Representation & { readonly headers: Readonly<Record<string, string>> } = {
  suffix: '.html',
  contentType: 'text/html; charset=utf-8',
  headers: {
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  },
};

/** Returns the page of a published dataset: its description, and the same facts for search engines as schema.org. */
export function landingPage(dataset: Node, base: string): string {
  const title = textOf(dataset['dct:title']);
  const iris = new StatementReader(base);
  const address = iris.iri(textOf(dataset['@id'])).value;
  const facts = factsOf(dataset, iris)
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => `<dt>${label}</dt>${values.map((value) => `<dd>${value}</dd>`).join('')}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
<link rel="canonical" href="${escaped(address)}">
<link rel="alternate" type="application/ld+json" href="${escaped(address)}">
<link rel="alternate" type="text/turtle" href="${escaped(address)}">
<script type="application/ld+json">${JSON.stringify(schemaOrgOf(dataset, address)).replaceAll('<', '\\u003c')}</script>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(textOf(dataset['dct:description']))}</p>
<dl>
${facts.join('\n')}
</dl>
</main>
</body>
</html>
`;
}

/** Returns the facts of the page in HTML, by label. */
function factsOf(dataset: Node, iris: StatementReader): [label: string, values: string[]][] {
  const texts = (member: string, inner?: string): string[] =>
    nodesOf(dataset[member]).map((each) => escaped(textOf(inner === undefined ? each : (each as Node)[inner])));
  const links = (values: unknown): string[] =>
    nodesOf(values).flatMap((each) => {
      const { value } = iris.iri(textOf((each as Node)['@id']));
      return /^(https?|mailto):/.test(value)
        ? [`<a href="${escaped(value)}">${escaped(value.replace('mailto:', ''))}</a>`]
        : [];
    });
  const [distribution] = nodesOf(dataset['dcat:distribution']) as Node[];
  const [contact] = nodesOf(dataset['dcat:contactPoint']) as Node[];
  const rights = nodesOf(dataset['dct:accessRights']).map((each) => textOf((each as Node)['@id']));
  return [
    ['Request access', links(distribution?.['dcat:accessURL'])],
    ['Access', rights.map((right) => escaped(accessWords[right.replace('access:', '')] ?? right))],
    ['Identifier', texts('dct:identifier')],
    ['Keywords', texts('dcat:keyword')],
    ['Health categories', texts('health:healthCategory', 'skos:prefLabel')],
    ['Health themes', texts('health:healthTheme', 'skos:prefLabel')],
    ['Participants', texts('health:populationCoverage')],
    ['Origin', texts('dct:provenance', 'rdfs:label')],
    ['Project', links(dataset['prov:wasGeneratedBy'])],
    ['Publisher', texts('dct:publisher', 'foaf:name')],
    ['Decides on access', texts('health:hdab', 'foaf:name')],
    ['Contact', [...links(contact?.['vcard:hasEmail']), ...links(contact?.['vcard:hasURL'])]],
    ['Last change', texts('dct:modified')],
  ];
}

const accessWords: Readonly<Record<string, string>> = {
  PUBLIC: 'Open to all',
  RESTRICTED: 'On request, under conditions',
  NON_PUBLIC: 'Not public',
};

/** Returns the members of schema.org without their prefix, as search engines read them. */
function schemaOrgOf(dataset: Node, address: string): Node {
  const named = Object.entries(dataset).flatMap(([member, value]): [string, unknown][] =>
    [
      'schema:name',
      'schema:description',
      'schema:identifier',
      'schema:keywords',
      'schema:datePublished',
      'schema:dateModified',
    ].includes(member)
      ? [[member.replace('schema:', ''), value]]
      : [],
  );
  const [publisher] = nodesOf(dataset['dct:publisher']) as Node[];
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    '@id': address,
    url: address,
    ...Object.fromEntries(named),
    ...(publisher && { publisher: { '@type': 'Organization', name: publisher['foaf:name'] } }),
  };
}

function nodesOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${String(letter.charCodeAt(0))};`);
}
