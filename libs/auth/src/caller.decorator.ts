import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from './principal.js';

/** A request whose caller the guard has identified. */
export interface IdentifiedRequest {
  principal?: Principal;
  /**
   * Identifies the caller again, for long responses. The method is absent if every caller is admitted.
   *
   * @throws the guard's error if the caller is no longer admitted
   */
  checkAgain?: () => Promise<void>;
}

/** Injects the caller that the guard identified into an argument of a handler. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  return context.switchToHttp().getRequest<IdentifiedRequest>().principal ?? { kind: 'anonymous' };
});
