import { Injectable } from '@nestjs/common';
import { isServiceKey, KeyDirectory, SessionDirectory, type CallerRule, type Principal } from '@rdc/auth';
import { requireCaller } from '../../platform/administration/require-caller.js';
import { actorOf } from '../../publishing/audit/audit-trail.js';
import { FailureLimits } from '../../people/rate-limits/failure-limits.js';
import type { IntrospectionResponse } from './introspection.dto.js';

/** The callers that introspect tokens. */
export const introspectors = ['global', 'scope:introspection'] as const satisfies readonly CallerRule[];

/** Introspects session tokens and service keys for other services of this system. */
@Injectable()
export class IntrospectionService {
  constructor(
    private readonly keys: KeyDirectory,
    private readonly sessions: SessionDirectory,
    private readonly limits: FailureLimits,
  ) {}

  /**
   * Returns the caller of a token. Keys of users and endpoints and the global key are reported as not active.
   *
   * @throws RateLimitedError if one service sent too many tokens that are not active
   */
  async introspect(caller: Principal, token: string): Promise<IntrospectionResponse> {
    requireCaller(caller, introspectors);
    const found = isServiceKey(token)
      ? await this.keys.identify(token, 'write')
      : await this.sessions.identify(token, 'write');
    const response = toResponse(found);
    if (!response.active) await this.limits.introspections.recordFailure(actorOf(caller));
    return response;
  }
}

/** Lists the members that other services need. No member is secret. */
function toResponse(found: Principal | null): IntrospectionResponse {
  if (found?.kind === 'session') {
    const { userId: user_id, subject, roles, sessionId: session_id } = found;
    return { active: true, kind: 'session', user_id, subject, roles, session_id };
  }
  if (found?.kind === 'service') {
    const { keyId: key_id, name, scopes, submissions, projects, expiresAt: expires_at } = found;
    return { active: true, kind: 'service', key_id, name, scopes, submissions, projects, expires_at };
  }
  return { active: false };
}
