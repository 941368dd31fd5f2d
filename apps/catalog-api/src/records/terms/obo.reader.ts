import { linesOf, TermList, type TermEntry } from './term-file.js';

interface Stanza {
  readonly place: string;
  id: string;
  name: string;
  synonyms: string[];
  obsolete: boolean;
}

/**
 * Reads an ontology in OBO format 1.2 or 1.4: the `[Term]` stanzas with id, name and the synonyms of all scopes. Skips
 * obsolete terms and stanzas without a name, which refer to other ontologies.
 *
 * @throws InvalidInputError if any line is invalid, with all invalid lines
 */
export async function readObo(text: string, maxTerms?: number): Promise<TermEntry[]> {
  const terms = new TermList(maxTerms);
  let stanza: Stanza | null = null;
  for await (const lines of linesOf(text)) {
    for (const { number, line } of lines) {
      if (line.startsWith('[')) {
        add(terms, stanza);
        const place = `line ${String(number)}`;
        stanza = line.trim() === '[Term]' ? { place, id: '', name: '', synonyms: [], obsolete: false } : null;
      } else if (stanza) {
        addTag(stanza, line);
      }
    }
  }
  add(terms, stanza);
  return terms.finish();
}

function add(terms: TermList, stanza: Stanza | null): void {
  if (!stanza || stanza.obsolete || stanza.name === '') return;
  terms.add(stanza.place, { termId: stanza.id, label: stanza.name, synonyms: stanza.synonyms });
}

function addTag(stanza: Stanza, line: string): void {
  const [, tag, value = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
  if (tag === 'id') stanza.id = withoutComment(value);
  if (tag === 'name') stanza.name = unescaped(withoutComment(value));
  if (tag === 'is_obsolete') stanza.obsolete = withoutComment(value) === 'true';
  if (tag === 'synonym') {
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
    if (quoted !== undefined) stanza.synonyms.push(unescaped(quoted));
  }
}

/** Returns a value without its trailing ` ! comment` and `{qualifiers}`. */
function withoutComment(value: string): string {
  return withoutQualifiers(value.replace(/(^|\s)!.*$/, '')).trim();
}

/** Removes `{qualifiers}` with index searches. A regular expression would take quadratic time for many braces. */
function withoutQualifiers(value: string): string {
  const text = value.trimEnd();
  if (!text.endsWith('}')) return value;
  const begin = text.lastIndexOf('}', text.length - 2) + 1;
  const length = text.slice(begin).search(/\s\{/);
  return length === -1 ? value : text.slice(0, begin + length);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, escaped: string) =>
    escaped === 'n' || escaped === 'W' || escaped === 't' ? ' ' : escaped,
  );
}
