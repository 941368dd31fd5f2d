import { InvalidInputError } from '@rdc/errors';

/** When something is to end; null for never. @throws InvalidInputError naming `expires_at` when that is past */
export function endOf(expires_at: string | null | undefined): Date | null {
  if (expires_at === null || expires_at === undefined) return null;
  const end = new Date(expires_at);
  if (end.getTime() <= Date.now()) throw new InvalidInputError([{ field: 'expires_at', problem: 'must not be past' }]);
  return end;
}
