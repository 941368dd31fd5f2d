import { Logger } from '@nestjs/common';
import { SessionTokens } from '@rdc/auth';
import { randomBytes } from 'node:crypto';
import type { SessionSettings } from './session.settings.js';

/** Returns the signer of session tokens. If `SESSION_SECRET` is not set, uses a random secret of this process. */
export function sessionTokensOf({ SESSION_SECRET }: SessionSettings): SessionTokens {
  if (SESSION_SECRET !== undefined) return new SessionTokens(SESSION_SECRET);
  new Logger('sessions').warn(
    'SESSION_SECRET is not set: sessions end with this process, and other replicas and the provisioner reject them',
  );
  return new SessionTokens(randomBytes(32).toString('base64url'));
}
