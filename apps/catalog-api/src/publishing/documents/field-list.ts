import { InvalidInputError } from '@rdc/errors';

/**
 * The members that the parameter `fields` selects, each once and in the order of the record; undefined when it was not
 * given.
 *
 * @throws InvalidInputError when a name is not one of `allowed`, or none is left
 */
export function fieldsOf(text: string | undefined, allowed: readonly string[]): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !allowed.includes(name));
  if (unknown !== undefined || names.length === 0) {
    const problem = unknown === undefined ? 'must name at least one field' : `must not name ${JSON.stringify(unknown)}`;
    throw new InvalidInputError([{ field: 'fields', problem, allowed }]);
  }
  return allowed.filter((name) => names.includes(name));
}
