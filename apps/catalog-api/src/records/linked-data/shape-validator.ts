import { DataFactory, Store, type Quad, type Term as RdfTerm } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';
import { prefixes, StatementReader, type Statement, type Term } from './statements.js';

type Node = Readonly<Record<string, unknown>>;

/** A statement of a shape that a record does not satisfy. */
export interface Violation {
  /** The property with its prefix, or undefined if the violation concerns several properties. */
  readonly property: string | undefined;
  readonly message: string;
}

const violationSeverity = 'http://www.w3.org/ns/shacl#Violation';

/** Validates records in JSON-LD with SHACL shapes. Warnings and remarks of the shapes are ignored. */
export class ShapeValidator {
  private readonly validator: SHACLValidator;

  constructor(
    shapes: Store,
    private readonly base: string,
  ) {
    this.validator = new SHACLValidator(shapes);
  }

  /** Returns the violations of one record. The record contains the descriptions of the nodes to which it refers. */
  async violationsOf(record: Node): Promise<Violation[]> {
    const statements = new StatementReader(this.base).read(record);
    const { results } = await this.validator.validate(new Store(statements.map(quadOf)));
    return results
      .filter(({ severity }) => severity.value === violationSeverity)
      .map(({ path, message, sourceConstraintComponent }) => ({
        property: propertyOf(path),
        message: message.map(({ value }) => value).join(' ') || sourceConstraintComponent.value.replace(/.*#/, ''),
      }));
  }
}

/** Returns the prefixed name of a path. A violation of a whole node has no path, contrary to the type. */
function propertyOf(path: { readonly termType: string; readonly value: string } | null): string | undefined {
  return path?.termType === 'NamedNode' ? prefixed(path.value) : undefined;
}

function prefixed(iri: string): string {
  const known = Object.entries(prefixes).find(([, namespace]) => iri.startsWith(namespace));
  return known ? `${known[0]}:${iri.slice(known[1].length)}` : iri;
}

function quadOf({ subject, property, object }: Statement): Quad {
  const [prefix = '', ...name] = property.split(':');
  const predicate = DataFactory.namedNode(`${prefixes[prefix] ?? ''}${name.join(':')}`);
  return DataFactory.quad(termOf(subject) as Quad['subject'], predicate, termOf(object) as Quad['object']);
}

function termOf(term: Term): RdfTerm {
  if (term.kind === 'iri') return DataFactory.namedNode(term.value);
  if (term.kind === 'blank') return DataFactory.blankNode(term.value);
  const { value, language, datatype } = term;
  return DataFactory.literal(value, language ?? (datatype === undefined ? undefined : DataFactory.namedNode(datatype)));
}
