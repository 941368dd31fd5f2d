import type { CanActivate, ExecutionContext } from '@nestjs/common';

/** Finds out who is calling and refuses whoever may not: the one guard of every route. */
export abstract class CallerGuard implements CanActivate {
  abstract canActivate(context: ExecutionContext): boolean | Promise<boolean>;
}
