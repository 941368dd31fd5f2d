import type { OpenAPIObject } from '@nestjs/swagger';
import { describeErrors, type Meaning, type Operation } from '@rdc/http';

const meanings: Readonly<Record<number, Meaning>> = {
  409: ['Another record has what this one claims.', 'record.conflict'],
  412: ['The record is not as `If-Match` or `If-None-Match` says.', 'precondition.failed'],
};

/** Adds to every operation the errors it can answer with. */
export function describeOwnErrors(document: OpenAPIObject): void {
  describeErrors(document, statusesOf, meanings);
}

function statusesOf(path: string, method: string, { parameters = [] }: Operation): number[] {
  const isGuarded = parameters.some((parameter) => 'name' in parameter && parameter.name === 'If-Match');
  const claims = method !== 'get' && method !== 'delete' && !path.startsWith('/api/session');
  return [
    ...(path.startsWith('/api/session/oidc') ? [404] : []),
    ...(claims ? [409] : []),
    ...(isGuarded ? [412] : []),
  ];
}
