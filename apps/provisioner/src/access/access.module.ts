import { Injectable, Logger, Module, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import {
  AuthGuard,
  GlobalKey,
  KeyDirectory,
  ProcessWrongKeyLimit,
  SessionTokens,
  TokenSessions,
  type IdentifiedRequest,
  type Principal,
} from '@rdc/auth';
import { ProvisionerSettings } from '../settings.js';
import { CallerGuard } from './caller-guard.js';

/** Knows the global key and no other. */
@Injectable()
class GlobalKeyDirectory extends KeyDirectory {
  private readonly globalKey: GlobalKey;

  constructor({ GLOBAL_API_KEY }: ProvisionerSettings) {
    super();
    this.globalKey = new GlobalKey(GLOBAL_API_KEY);
  }

  identify(key: string): Promise<Principal> {
    return Promise.resolve({ kind: this.globalKey.matches(key) ? 'global' : 'unknown' });
  }
}

/** `PROVISIONER_AUTH=none`: whoever reaches the port may do everything, as a network policy or a proxy decides. */
@Injectable()
class EveryoneGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<IdentifiedRequest>().principal = { kind: 'global' };
    return true;
  }
}

/** People signed in at the catalog are known by its token alone; without the secret that both share, nobody is. */
function guardOf(settings: ProvisionerSettings, reflector: Reflector, keys: KeyDirectory): CallerGuard {
  const { PROVISIONER_AUTH, SESSION_SECRET, RATE_LIMIT_WRONG_KEYS } = settings;
  if (PROVISIONER_AUTH === 'none') return new EveryoneGuard();
  const sessions = SESSION_SECRET === undefined ? undefined : new TokenSessions(new SessionTokens(SESSION_SECRET));
  return new AuthGuard(reflector, keys, sessions, new ProcessWrongKeyLimit(RATE_LIMIT_WRONG_KEYS));
}

/** Who may call (provisioner interface, section 4). */
@Module({
  providers: [
    { provide: KeyDirectory, useClass: GlobalKeyDirectory },
    {
      provide: CallerGuard,
      inject: [ProvisionerSettings, Reflector, KeyDirectory],
      useFactory: guardOf,
    },
    { provide: APP_GUARD, useExisting: CallerGuard },
  ],
  exports: [CallerGuard],
})
export class AccessModule implements OnModuleInit {
  private readonly logger = new Logger(AccessModule.name);

  constructor(private readonly settings: ProvisionerSettings) {}

  onModuleInit(): void {
    const { PROVISIONER_AUTH, GLOBAL_API_KEY } = this.settings;
    if (PROVISIONER_AUTH === 'none')
      this.logger.warn('PROVISIONER_AUTH=none: whoever reaches the port may do everything.');
    else if (new GlobalKey(GLOBAL_API_KEY).warning) this.logger.warn(new GlobalKey(GLOBAL_API_KEY).warning);
  }
}
