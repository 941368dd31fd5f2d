import type { OpenAPIObject } from '@nestjs/swagger';
import { describeResponses, type Meaning, type Operation } from '@rdc/http';

const meanings: Readonly<Record<number, Meaning>> = {
  409: ['The write conflicts with another record.', 'record.conflict'],
  412: ['The record does not meet the condition of `If-Match` or `If-None-Match`.', 'precondition.failed'],
};

/** Adds the possible errors to every operation. */
export function describeOwnErrors(document: OpenAPIObject): void {
  describeResponses(document, statusesOf, meanings);
}

function statusesOf(path: string, method: string, { parameters = [] }: Operation): number[] {
  const isGuarded = parameters.some((parameter) => 'name' in parameter && parameter.name === 'If-Match');
  const canConflict = method !== 'get' && method !== 'delete' && !path.startsWith('/api/session');
  return [...(canConflict ? [409] : []), ...(isGuarded ? [412] : [])];
}
