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
import { CallerCache } from './known-callers.js';

/** `PROVISIONER_AUTH=none`: every request may do everything, because a network policy or a proxy decides. */
@Injectable()
class EveryoneGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<IdentifiedRequest>().principal = { kind: 'global' };
    return true;
  }
}

/** Callers that the catalog knows; without a catalog to ask there is no such directory. */
abstract class CatalogCallers {
  abstract readonly known: CallerCache | null;
}

function catalogCallersOf({ CATALOG_URL, CATALOG_API_KEY = '' }: ProvisionerSettings): CatalogCallers {
  if (CATALOG_URL === undefined) return { known: null };
  const catalog = new CatalogIntrospection(CATALOG_URL, CATALOG_API_KEY);
  return { known: new CallerCache((token) => catalog.introspect(token)) };
}

/** Without the secret that signs their tokens, no session is known. */
function guardOf(
  settings: ProvisionerSettings,
  reflector: Reflector,
  keys: KeyDirectory,
  { known }: CatalogCallers,
): CallerGuard {
  const { PROVISIONER_AUTH, SESSION_SECRET, RATE_LIMIT_WRONG_KEYS } = settings;
  if (PROVISIONER_AUTH === 'none') return new EveryoneGuard();
  const sessions =
    SESSION_SECRET === undefined ? undefined : new ProvisionerSessions(new SessionTokens(SESSION_SECRET), known);
  return new AuthGuard(reflector, keys, sessions, new ProcessWrongKeyLimit(RATE_LIMIT_WRONG_KEYS));
}

/** Decides which callers may call (provisioner interface, section 4). */
@Module({
  providers: [
    { provide: CatalogCallers, inject: [ProvisionerSettings], useFactory: catalogCallersOf },
    {
      provide: KeyDirectory,
      inject: [ProvisionerSettings, CatalogCallers],
      useFactory: (settings: ProvisionerSettings, { known }: CatalogCallers) => new ProvisionerKeys(settings, known),
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
      return ['PROVISIONER_AUTH=none: every request that reaches the port may do everything.'];
    const offline = 'CATALOG_URL is not set: sessions and service keys are refused; the global key alone is accepted.';
    return [
      ...new GlobalKey(this.settings).warnings,
      ...(CATALOG_URL === undefined ? [offline] : []),
      ...(catalogKeyWarning === null ? [] : [catalogKeyWarning]),
    ];
  }
}
