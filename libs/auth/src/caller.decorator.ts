import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from './principal.js';

/** A request on which the guard has noted who made it. */
export interface IdentifiedRequest {
  principal?: Principal;
}

/** The caller of a handler, as the guard found it. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  return context.switchToHttp().getRequest<IdentifiedRequest>().principal ?? { kind: 'anonymous' };
});
