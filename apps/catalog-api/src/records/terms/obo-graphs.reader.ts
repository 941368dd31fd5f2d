import { InvalidInputError } from '@rdc/errors';
import { measureJson, TimeSlice } from '@rdc/http';
import { membersOf } from '../../platform/json/json.js';
import { TermList, type TermEntry } from './term-file.js';

/** The maximum number of JSON values in a request. Parsing more blocks the event loop for longer than 250 ms. */
const maxBoundedValues = 200_000;

/** The members of an OBO Graphs node from which a term is made. */
interface Node {
  readonly id: string;
  readonly lbl?: string | null;
  readonly type?: string | null;
  readonly meta?: {
    readonly deprecated?: boolean;
    readonly synonyms?: readonly { readonly val: string }[] | null;
  } | null;
}

/**
 * Reads an ontology in OBO Graphs JSON: its labelled classes with the synonyms of all scopes. Skips deprecated classes.
 *
 * @throws InvalidInputError if the text is not an OBO Graphs document or if a node is invalid, with all invalid nodes
 */
export async function readOboGraphs(text: string, maxTerms?: number): Promise<TermEntry[]> {
  const terms = new TermList(maxTerms);
  const slice = new TimeSlice();
  for (const [number, graph] of (
    await graphsOf(text, maxTerms === undefined ? Number.POSITIVE_INFINITY : maxBoundedValues)
  ).entries()) {
    const nodes = membersOf(graph)['nodes'] ?? [];
    const place = `graphs[${String(number)}].nodes`;
    if (!Array.isArray(nodes)) {
      terms.refuse(place, 'must be a list');
      continue;
    }
    for (const [index, node] of (nodes as unknown[]).entries()) {
      addNode(terms, `${place}[${String(index)}]`, node);
      if (slice.isSpent) await slice.next();
    }
  }
  return terms.finish();
}

function addNode(terms: TermList, place: string, node: unknown): void {
  if (!isNode(node)) {
    terms.refuse(place, 'must be a node: id, lbl and type are texts, meta.synonyms is a list of {"val": text}');
    return;
  }
  const { id, lbl, type, meta } = node;
  if (type !== 'CLASS' || !lbl || meta?.deprecated) return;
  terms.add(place, { termId: shortId(id), label: lbl, synonyms: (meta?.synonyms ?? []).map(({ val }) => val) });
}

function isNode(value: unknown): value is Node {
  const { id, lbl, type, meta } = membersOf(value);
  const { synonyms } = membersOf(meta);
  const areTexts = [id ?? null, lbl ?? '', type ?? ''].every((each) => typeof each === 'string');
  return areTexts && isListOf(synonyms ?? [], (synonym) => typeof membersOf(synonym)['val'] === 'string');
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

async function graphsOf(text: string, maxValues: number): Promise<readonly unknown[]> {
  const { excess } = await measureJson(Buffer.from(text), maxValues);
  if (excess !== null)
    throw new InvalidInputError([
      { field: '', problem: `The file ${excess}. Import a larger file with the command \`catalog import terms\`` },
    ]);
  try {
    const { graphs } = JSON.parse(text) as { graphs?: unknown };
    if (Array.isArray(graphs)) return graphs as unknown[];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    throw new InvalidInputError([{ field: '', problem: `The file is not JSON: ${reason}` }]);
  }
  throw new InvalidInputError([{ field: 'graphs', problem: 'must be the list of graphs of an OBO Graphs document' }]);
}

/** Shortens `http://purl.obolibrary.org/obo/DOID_162` to `DOID:162`. Returns other IRIs unchanged. */
function shortId(address: string): string {
  const [, prefix, local] = /\/obo\/([A-Za-z]\w*?)_(\w+)$/.exec(address) ?? [];
  return prefix !== undefined && local !== undefined ? `${prefix}:${local}` : address;
}
