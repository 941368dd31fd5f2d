import { context } from './context.js';

/** A node or a value of a statement. */
export type Term =
  | { readonly kind: 'iri'; readonly value: string }
  | { readonly kind: 'blank'; readonly value: string }
  | { readonly kind: 'literal'; readonly value: string; readonly datatype?: string; readonly language?: string };

/** A statement of RDF. The property is a prefixed name of the context, or `rdf:type`. */
export interface Statement {
  readonly subject: Term;
  readonly property: string;
  readonly object: Term;
}

/** The prefixes of all properties and types, with `rdf`. */
export const prefixes: Readonly<Record<string, string>> = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  ...Object.fromEntries(
    Object.entries(context).flatMap(([name, value]) => {
      const iri = typeof value === 'object' && '@prefix' in value ? value['@id'] : value;
      return typeof iri === 'string' && !name.startsWith('@') ? [[name, iri]] : [];
    }),
  ),
};

/** The type or language that the context gives to the texts of a property. */
const coercions = context as unknown as Readonly<
  Record<string, { '@type'?: string; '@language'?: string } | undefined>
>;

type Node = Readonly<Record<string, unknown>>;

/**
 * Converts the JSON-LD of the catalog to statements. Supports the form that the catalog writes, which is a part of
 * JSON-LD: prefixed members, nested nodes, and the types of the context. A general library takes milliseconds for each
 * record, which blocks the service while a whole catalog is read.
 */
export class StatementReader {
  private blanks = 0;

  /** @param base the base of relative IRIs, which ends in a slash */
  constructor(private readonly base: string) {}

  /** Returns the statements of a node and of the nodes in it, grouped by subject. */
  read(node: Node): Statement[] {
    const bySubject = new Map<string, Statement[]>();
    for (const each of this.visit(node, this.nameOf(node))) {
      const known = bySubject.get(each.subject.value);
      if (known) known.push(each);
      else bySubject.set(each.subject.value, [each]);
    }
    return [...bySubject.values()].flat();
  }

  /** Returns the node of an IRI, which may be relative or begin with a prefix. */
  iri(text: string): Term {
    const [, prefix = '', rest = ''] = /^(\w+):(?!\/\/)(.*)$/s.exec(text) ?? [];
    const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
    const isAbsolute = /^[A-Za-z][\w+.-]*:/.test(text);
    const whole = namespace === undefined ? `${isAbsolute ? '' : this.base}${text}` : namespace + rest;
    return { kind: 'iri', value: whole.replace(/[\0-\x20<>"{}|\\^`]/g, encodeURIComponent) };
  }

  private *visit(node: Node, subject: Term): Generator<Statement> {
    for (const [member, value] of Object.entries(node)) {
      if (member === '@id' || member === '@context') continue;
      for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (member === '@included') {
          yield* this.visit(each as Node, this.nameOf(each as Node));
        } else if (typeof each === 'object' && each !== null) {
          const object = this.nameOf(each as Node);
          yield { subject, property: member, object };
          yield* this.visit(each as Node, object);
        } else if (member === '@type') {
          yield { subject, property: 'rdf:type', object: this.iri(String(each)) };
        } else {
          yield { subject, property: member, object: this.valueOf(member, each) };
        }
      }
    }
  }

  private nameOf(node: Node): Term {
    if (typeof node['@id'] === 'string') return this.iri(node['@id']);
    this.blanks += 1;
    return { kind: 'blank', value: `b${String(this.blanks)}` };
  }

  private valueOf(property: string, value: unknown): Term {
    const { '@type': type, '@language': language } = coercions[property] ?? {};
    const text = String(value);
    if (type === '@id') return this.iri(text);
    if (type !== undefined) return { kind: 'literal', value: text, datatype: this.iri(type).value };
    if (typeof value === 'boolean')
      return { kind: 'literal', value: text, datatype: `${prefixes['xsd'] ?? ''}boolean` };
    if (typeof value === 'number') return { kind: 'literal', value: text, datatype: `${prefixes['xsd'] ?? ''}integer` };
    return { kind: 'literal', value: text, ...(language !== undefined && { language }) };
  }
}
