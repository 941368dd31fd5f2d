import { InvalidInputError } from '@rdc/errors';

/**
 * Returns the members that the parameter `fields` selects, in the order of the record, or undefined if the parameter is
 * absent.
 *
 * @throws InvalidInputError if a name is not in `allowed`, or if there is no name
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
