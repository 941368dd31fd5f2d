import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from './principal.js';

/** A request on which the guard has noted its caller. */
export interface IdentifiedRequest {
  principal?: Principal;
  /**
   * Identifies the caller of a long answer again, as the guard did at its start. Absent if every caller is admitted.
   *
   * @throws what the guard throws if the caller may no longer have the answer
   */
  checkAgain?: () => Promise<void>;
}

/** The caller of a handler, as the guard found it. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  return context.switchToHttp().getRequest<IdentifiedRequest>().principal ?? { kind: 'anonymous' };
});
