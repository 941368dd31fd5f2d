import { prefixes, type Statement, type Term } from './statements.js';

/** The first lines of a document in RDF/XML. */
export const xmlHead = `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${Object.entries(prefixes)
  .map(([name, iri]) => `\n  xmlns:${name}="${escaped(iri)}"`)
  .join('')}>\n`;

/** The last line of a document in RDF/XML. */
export const xmlTail = '</rdf:RDF>\n';

/** Returns statements as elements of RDF/XML. */
export function xmlOf(statements: readonly Statement[]): string {
  let last: Term | undefined;
  const lines = statements.map(({ subject, property, object }) => {
    const isSame = last?.value === subject.value;
    const before = isSame ? '' : `${last ? closing : ''}<rdf:Description ${subjectOf(subject)}>\n`;
    last = subject;
    return `${before}  ${elementOf(property, object)}\n`;
  });
  return lines.length === 0 ? '' : `${lines.join('')}${closing}`;
}

const closing = '</rdf:Description>\n';

function subjectOf({ kind, value }: Term): string {
  return kind === 'blank' ? `rdf:nodeID="${value}"` : `rdf:about="${escaped(value)}"`;
}

function elementOf(property: string, object: Term): string {
  if (object.kind === 'iri') return `<${property} rdf:resource="${escaped(object.value)}"/>`;
  if (object.kind === 'blank') return `<${property} rdf:nodeID="${object.value}"/>`;
  const language = object.language === undefined ? '' : ` xml:lang="${object.language}"`;
  const datatype = object.datatype === undefined ? '' : ` rdf:datatype="${escaped(object.datatype)}"`;
  return `<${property}${language}${datatype}>${escaped(object.value)}</${property}>`;
}

/** Returns a text for an element or a quoted attribute. Characters that XML cannot contain become U+FFFD. */
function escaped(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"\r]/g, (letter) => `&#${String(letter.charCodeAt(0))};`);
}
