import { InvalidInputError } from '@rdc/errors';

/** Parses `expires_at`; null means no expiry. @throws InvalidInputError if the time is in the past */
export function parseExpiry(expires_at: string | null | undefined): Date | null {
  if (expires_at === null || expires_at === undefined) return null;
  const end = new Date(expires_at);
  if (end.getTime() <= Date.now())
    throw new InvalidInputError([{ field: 'expires_at', problem: 'must not be in the past' }]);
  return end;
}
