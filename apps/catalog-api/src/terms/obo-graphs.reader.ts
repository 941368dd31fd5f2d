import { InvalidInputError } from '@rdc/errors';
import { TermList, type TermEntry } from './term-file.js';

/** The part of an OBO Graphs document that makes terms. */
interface Graphs {
  readonly graphs: readonly { readonly nodes?: readonly Node[] }[];
}

interface Node {
  readonly id: string;
  readonly lbl?: string;
  readonly type?: string;
  readonly meta?: { readonly deprecated?: boolean; readonly synonyms?: readonly { readonly val: string }[] };
}

/**
 * Reads an ontology in OBO Graphs JSON: its labelled classes with their synonyms of every scope; deprecated ones are
 * left out.
 *
 * @throws InvalidInputError when it is no such document, or naming every bad node
 */
export function readOboGraphs(text: string): TermEntry[] {
  const terms = new TermList();
  graphsOf(text).forEach(({ nodes = [] }, graph) => {
    nodes.forEach(({ id, lbl, type, meta }, node) => {
      if (type !== 'CLASS' || !lbl || meta?.deprecated) return;
      const synonyms = (meta?.synonyms ?? []).map(({ val }) => val);
      terms.add(`graphs[${String(graph)}].nodes[${String(node)}]`, { termId: shortId(id), label: lbl, synonyms });
    });
  });
  return terms.finish();
}

function graphsOf(text: string): Graphs['graphs'] {
  try {
    const { graphs } = JSON.parse(text) as Partial<Graphs>;
    if (Array.isArray(graphs)) return graphs as Graphs['graphs'];
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
