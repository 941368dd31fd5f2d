/** Parses JSON. @returns undefined if the text is not JSON */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a JSON object as it is, and an empty object for any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
}

/**
 * Returns the text of a JSON object with another value of one member, or without the member if the value is undefined.
 * The text of all other members stays as it is, so that no number loses digits.
 *
 * @param text a valid JSON object
 */
export function withMember(text: string, name: string, value: unknown): string {
  const kept = membersIn(text).filter((member) => nameOf(member) !== name);
  if (value !== undefined) kept.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${kept.join(',')}}`;
}

/** Returns the texts of the members of a JSON object. */
function membersIn(text: string): string[] {
  const members: string[] = [];
  let member = '';
  let depth = 0;
  for (const [token] of text.matchAll(jsonToken)) {
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 1 && token === ',') {
      members.push(member);
      member = '';
    } else if (depth > 0) {
      member += token;
    }
    if (token === '{' || token === '[') depth += 1;
  }
  return member === '' ? members : [...members, member];
}

/** A text, a bracket, a separator, or a number or word. */
const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

function nameOf(member: string): unknown {
  return JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(member)?.[0] ?? '""');
}
