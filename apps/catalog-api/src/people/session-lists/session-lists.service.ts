import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import { isUUID } from 'class-validator';
import { DataSource } from 'typeorm';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { requireSession } from '../../platform/administration/require-caller.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { SessionsRepository, type SessionRow } from '../sessions/sessions.repository.js';
import { sessionResource } from '../sessions/sign-in-trail.js';
import type { ListedSession, SessionList } from './session-list.dto.js';

/** Lists and ends sessions. A person manages their own sessions; administrators manage all sessions. */
@Injectable()
export class SessionListsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: SessionsRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** Lists the caller's own sessions. @throws AccessDeniedError if the caller has no session */
  async listOwn(caller: Principal): Promise<SessionList> {
    const { userId } = requireSession(caller);
    return this.listOf(Number(userId), caller);
  }

  /** Ends one of the caller's own sessions. @returns whether that session was the session of the request */
  async endOwn(caller: Principal, session: string): Promise<boolean> {
    const { userId } = requireSession(caller);
    await this.end(caller, Number(userId), session);
    return isCurrent(caller, session);
  }

  /** Ends all of the caller's own sessions. @param isCurrentKept whether the session of the request stays open */
  async endAllOwn(caller: Principal, isCurrentKept: boolean): Promise<void> {
    const { userId, sessionId } = requireSession(caller);
    await this.endAll(caller, Number(userId), isCurrentKept ? sessionId : null);
  }

  /** Lists the sessions of a person. @throws AccessDeniedError, UnknownRecordError */
  async list(caller: Principal, id: string): Promise<SessionList> {
    requireAdministrator(caller);
    return this.listOf(await this.userOf(id), caller);
  }

  /** Ends one session of a person. @throws AccessDeniedError, UnknownRecordError */
  async endOf(caller: Principal, id: string, session: string): Promise<void> {
    requireAdministrator(caller);
    await this.end(caller, await this.userOf(id), session);
  }

  /** Ends all sessions of a person. @throws AccessDeniedError, UnknownRecordError */
  async endAllOf(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.endAll(caller, await this.userOf(id), null);
  }

  private async listOf(userId: number, caller: Principal): Promise<SessionList> {
    const rows = await this.repository.list(userId);
    return { results: rows.map((row) => toListedSession(row, isCurrent(caller, row.id))) };
  }

  private async end(caller: Principal, userId: number, session: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const ended = isUUID(session) ? await this.repository.remove(manager, userId, session) : null;
      if (!ended) throw new UnknownRecordError('session', session);
      await this.audit.record(manager, {
        ...{ actor: actorOf(caller), action: 'end-session', resource: sessionResource, recordId: userId },
        before: {
          ...{ session: ended.id, started_at: ended.createdAt, last_used_at: ended.lastUsedAt },
          ...{ method: ended.method, address: ended.address, user_agent: ended.userAgent },
        },
      });
    });
  }

  private async endAll(caller: Principal, userId: number, except: string | null): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const ended = await this.repository.removeAll(manager, userId, except);
      if (ended === 0) return;
      const entry = { actor: actorOf(caller), action: 'end-sessions', resource: sessionResource, recordId: userId };
      await this.audit.record(manager, { ...entry, after: { ended, reason: 'requested' } });
    });
  }

  private async userOf(id: string): Promise<number> {
    const userId = parseRecordId('user', id);
    if (!(await this.repository.hasUser(userId))) throw new UnknownRecordError('user', id);
    return userId;
  }
}

function isCurrent(caller: Principal, session: string): boolean {
  return caller.kind === 'session' && caller.sessionId === session.toLowerCase();
}

function toListedSession(row: SessionRow, current: boolean): ListedSession {
  return {
    id: row.id,
    started_at: row.createdAt,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    address: row.address,
    user_agent: row.userAgent,
    method: row.method,
    current,
  };
}
