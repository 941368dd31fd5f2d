import { prefixes, type Statement, type Term } from './statements.js';

/** The first lines of a document in Turtle: the prefixes. */
export const turtleHead = Object.entries(prefixes)
  .map(([name, iri]) => `@prefix ${name}: <${iri}> .\n`)
  .join('');

/** Returns statements in Turtle, without the prefixes. */
export function turtleOf(statements: readonly Statement[]): string {
  let last: Term | undefined;
  const lines = statements.map(({ subject, property, object }) => {
    const isSame = last?.value === subject.value;
    last = subject;
    return `${isSame ? ' ;\n ' : opening(subject)} ${property === 'rdf:type' ? 'a' : property} ${turtleTerm(object)}`;
  });
  return lines.length === 0 ? '' : `${lines.join('').slice(endOfBlock.length)}${endOfBlock}`;
}

const endOfBlock = ' .\n';

/** Ends the block of the last subject and begins the next. */
function opening(subject: Term): string {
  return `${endOfBlock}\n${turtleTerm(subject)}\n `;
}

function turtleTerm(term: Term): string {
  if (term.kind === 'iri') return `<${term.value}>`;
  if (term.kind === 'blank') return `_:${term.value}`;
  // The escapes of JSON are escapes of Turtle.
  const text = JSON.stringify(term.value);
  if (term.language !== undefined) return `${text}@${term.language}`;
  return term.datatype === undefined ? text : `${text}^^<${term.datatype}>`;
}
