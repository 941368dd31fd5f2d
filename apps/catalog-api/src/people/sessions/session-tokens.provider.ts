import { Logger } from '@nestjs/common';
import { SessionTokens } from '@rdc/auth';
import { randomBytes } from 'node:crypto';
import type { CatalogSettings } from '../../platform/settings/catalog.settings.js';

/** Signs with the secret of the settings, or else with one that nobody knows and that ends with the process. */
export function sessionTokensOf({ SESSION_SECRET }: CatalogSettings): SessionTokens {
  if (SESSION_SECRET !== undefined) return new SessionTokens(SESSION_SECRET);
  new Logger('sessions').warn(
    'SESSION_SECRET is not set: sessions end when this process does, and are not known to other replicas or to the provisioner.',
  );
  return new SessionTokens(randomBytes(32).toString('base64url'));
}
