import type { CanActivate, ExecutionContext } from '@nestjs/common';

/** The guard of every route. Identifies the caller and refuses callers without permission. */
export abstract class CallerGuard implements CanActivate {
  abstract canActivate(context: ExecutionContext): boolean | Promise<boolean>;
}
