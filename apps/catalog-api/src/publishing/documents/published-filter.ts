import { InvalidInputError } from '@rdc/errors';
import { sql, type Sql } from '../../platform/database/sql.js';

/**
 * The condition that the parameter `published` means; none when it was not given.
 *
 * @throws InvalidInputError unless it is one of `allowed`, in any case
 */
export function publishedFilter(text: string | undefined, allowed: readonly string[]): Sql[] {
  if (text === undefined) return [];
  const word = text.toLowerCase();
  if (!allowed.includes(word)) {
    throw new InvalidInputError([{ field: 'published', problem: `must be ${allowed.join(' or ')}`, allowed }]);
  }
  return word === 'all' ? [] : [sql`document.published = ${word}::boolean`];
}
