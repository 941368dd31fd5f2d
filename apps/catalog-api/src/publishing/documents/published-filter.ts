import { InvalidInputError } from '@rdc/errors';
import { sql, type Sql } from '../../platform/database/sql.js';

/**
 * Returns the conditions of the parameter `published`.
 *
 * @throws InvalidInputError if the parameter, in any case, is not in `allowed`
 */
export function publishedFilter(text: string | undefined, allowed: readonly string[]): Sql[] {
  if (text === undefined) return [];
  const word = text.toLowerCase();
  if (!allowed.includes(word)) {
    throw new InvalidInputError([{ field: 'published', problem: `must be ${allowed.join(' or ')}`, allowed }]);
  }
  return word === 'all' ? [] : [sql`document.published = ${word}::boolean`];
}
