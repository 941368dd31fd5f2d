import { Injectable, Logger, Module, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import {
  AuthGuard,
  GlobalKey,
  KeyDirectory,
  ProcessWrongKeyLimit,
  SessionTokens,
  type IdentifiedRequest,
} from '@rdc/auth';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { CallerGuard } from './caller-guard.js';
import { ProvisionerKeys, ProvisionerSessions } from './caller-directories.js';
import { CatalogIntrospection } from './catalog-introspection.js';
import { CallerCache } from './caller-cache.js';

/** The guard for `PROVISIONER_AUTH=none`. Grants every request full permissions; the network must restrict access. */
@Injectable()
class EveryoneGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<IdentifiedRequest>().principal = { kind: 'global' };
    return true;
  }
}

/** The cache of callers that the catalog identifies; null if no catalog is configured. */
abstract class CatalogCallers {
  abstract readonly cache: CallerCache | null;
}

function catalogCallersOf({ CATALOG_URL, CATALOG_API_KEY = '' }: ProvisionerSettings): CatalogCallers {
  if (CATALOG_URL === undefined) return { cache: null };
  const catalog = new CatalogIntrospection(CATALOG_URL, CATALOG_API_KEY);
  return { cache: new CallerCache((token) => catalog.introspect(token)) };
}

/** Returns the guard for the settings. Without `SESSION_SECRET`, the guard refuses all sessions. */
function guardOf(
  settings: ProvisionerSettings,
  reflector: Reflector,
  keys: KeyDirectory,
  { cache }: CatalogCallers,
): CallerGuard {
  const { PROVISIONER_AUTH, SESSION_SECRET, RATE_LIMIT_WRONG_KEYS } = settings;
  if (PROVISIONER_AUTH === 'none') return new EveryoneGuard();
  const sessions =
    SESSION_SECRET === undefined ? undefined : new ProvisionerSessions(new SessionTokens(SESSION_SECRET), cache);
  return new AuthGuard(reflector, keys, sessions, new ProcessWrongKeyLimit(RATE_LIMIT_WRONG_KEYS));
}

/** The authentication of callers. */
@Module({
  providers: [
    { provide: CatalogCallers, inject: [ProvisionerSettings], useFactory: catalogCallersOf },
    {
      provide: KeyDirectory,
      inject: [ProvisionerSettings, CatalogCallers],
      useFactory: (settings: ProvisionerSettings, { cache }: CatalogCallers) => new ProvisionerKeys(settings, cache),
    },
    {
      provide: CallerGuard,
      inject: [ProvisionerSettings, Reflector, KeyDirectory, CatalogCallers],
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
    for (const warning of this.warnings()) this.logger.warn(warning);
  }

  private warnings(): readonly string[] {
    const { PROVISIONER_AUTH, CATALOG_URL, catalogKeyWarning } = this.settings;
    if (PROVISIONER_AUTH === 'none')
      return ['PROVISIONER_AUTH is none: every request is accepted with full permissions.'];
    const offline = 'CATALOG_URL is not set: sessions and service keys are refused. Only the global key is accepted.';
    return [
      ...new GlobalKey(this.settings).warnings,
      ...(CATALOG_URL === undefined ? [offline] : []),
      ...(catalogKeyWarning === null ? [] : [catalogKeyWarning]),
    ];
  }
}
