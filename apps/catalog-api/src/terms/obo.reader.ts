import { TermList, type TermEntry } from './term-file.js';

interface Stanza {
  readonly place: string;
  id: string;
  name: string;
  synonyms: string[];
  obsolete: boolean;
}

/**
 * Reads an ontology in OBO format 1.2 or 1.4: the `[Term]` stanzas with their id, name and synonyms of every scope.
 * Obsolete terms, and stanzas without a name (references to other ontologies), are left out.
 *
 * @throws InvalidInputError naming every bad line
 */
export function readObo(text: string): TermEntry[] {
  const terms = new TermList();
  let stanza: Stanza | null = null;
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.startsWith('[')) {
      add(terms, stanza);
      const place = `line ${String(index + 1)}`;
      stanza = line.trim() === '[Term]' ? { place, id: '', name: '', synonyms: [], obsolete: false } : null;
    } else if (stanza) {
      note(stanza, line);
    }
  });
  add(terms, stanza);
  return terms.finish();
}

function add(terms: TermList, stanza: Stanza | null): void {
  if (!stanza || stanza.obsolete || stanza.name === '') return;
  terms.add(stanza.place, { termId: stanza.id, label: stanza.name, synonyms: stanza.synonyms });
}

function note(stanza: Stanza, line: string): void {
  const [, tag, value = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
  if (tag === 'id') stanza.id = withoutComment(value);
  if (tag === 'name') stanza.name = unescaped(withoutComment(value));
  if (tag === 'is_obsolete') stanza.obsolete = withoutComment(value) === 'true';
  if (tag === 'synonym') {
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
    if (quoted !== undefined) stanza.synonyms.push(unescaped(quoted));
  }
}

/** A value without its trailing ` ! comment` and `{qualifiers}`. */
function withoutComment(value: string): string {
  return value
    .replace(/(^|\s)!.*$/, '')
    .replace(/\s\{[^}]*\}\s*$/, '')
    .trim();
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, escaped: string) =>
    escaped === 'n' || escaped === 'W' || escaped === 't' ? ' ' : escaped,
  );
}
