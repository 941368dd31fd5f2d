import { InvalidInputError } from '@rdc/errors';
import { measureJson, TimeSlice } from '@rdc/http';
import { membersOf } from '../../platform/json/json.js';
import { TermList, type TermEntry } from './term-file.js';

/** Values of a file whose terms are bounded; more hold the event loop for longer than 250 ms while they are parsed. */
const maxBoundedValues = 200_000;

/** The part of a node of an OBO Graphs document that makes a term. */
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
 * Reads an ontology in OBO Graphs JSON: its labelled classes with their synonyms of every scope; deprecated ones are
 * left out.
 *
 * @throws InvalidInputError when it is no such document, or naming every bad node
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
    terms.refuse(place, 'is not as a node must be: id, lbl and type are texts, meta.synonyms a list of {"val": text}');
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
      { field: '', problem: `The file ${excess}; the command \`catalog import terms\` takes larger ones` },
    ]);
  try {
    const { graphs } = JSON.parse(text) as { graphs?: unknown };
    if (Array.isArray(graphs)) return graphs as unknown[];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be read';
    throw new InvalidInputError([{ field: '', problem: `The file is not JSON: ${reason}` }]);
  }
  throw new InvalidInputError([{ field: 'graphs', problem: 'must be the list of graphs of an OBO Graphs document' }]);
}

/** `http://purl.obolibrary.org/obo/DOID_162` is `DOID:162`; an address of another form stays as it is. */
function shortId(address: string): string {
  const [, prefix, local] = /\/obo\/([A-Za-z]\w*?)_(\w+)$/.exec(address) ?? [];
  return prefix !== undefined && local !== undefined ? `${prefix}:${local}` : address;
}
