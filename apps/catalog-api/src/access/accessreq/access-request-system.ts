import { Injectable } from '@nestjs/common';
import { DependencyDownError } from '@rdc/errors';
import { AccessRequestSettings } from './accessreq.settings.js';
import type { EntitlementKey } from './entitlement.js';
import { parseInstant } from './instant.js';

/** If a background request takes longer, the access-request system counts as down. */
const answerTimeoutMs = 15_000;

/** The roles of REMS with which a user reads the entitlements of all users. With other roles, REMS returns no error. */
const readingRoles = ['owner', 'organization-owner', 'handler', 'reporter'];

/** The header in which REMS states the roles of the user, in each response. */
const rolesHeader = 'x-rems-roles';

/** A request of REMS that the same roles may send, for a REMS behind a proxy that removes the header. */
const requestOfReaders = '/api/applications/commands';

/** Whether the user of the catalog may read the entitlements of all users; `unknown` before the first answer. */
export type ReadingRights = 'held' | 'missing' | 'unknown';

/** The error of an API user that may not read the entitlements of all users. Its answers prove nothing. */
export class MissingRoleError extends Error {
  constructor(roles: string | null) {
    super(
      `The user ACCESSREQ_API_USER may not read the entitlements of all users (roles: ${roles ?? 'not stated'}). ` +
        'In REMS, give the user the role reporter: run "grant-role reporter <user>" on the command line of REMS.',
    );
    this.name = 'MissingRoleError';
  }
}

/** A client of the access-request system's API (REMS), which confirms the claims of a post. */
@Injectable()
export class AccessRequestSystem {
  private lastRights: ReadingRights = 'unknown';

  constructor(private readonly settings: AccessRequestSettings) {}

  /** Whether the address of an access-request system is set. */
  get isConfigured(): boolean {
    return this.settings.ACCESSREQ_URL !== undefined;
  }

  /** The rights of the API user at the last answer. */
  get rights(): ReadingRights {
    return this.lastRights;
  }

  /**
   * Returns the ends of all rows of an entitlement, including past ends. The list is empty if the entitlement is unknown.
   *
   * @param signal aborts the request early
   * @throws MissingRoleError if the API user may not read the entitlements of all users
   * @throws DependencyDownError if the system is unreachable, refuses the credentials, or returns an unusable answer
   */
  async findEnds(key: EntitlementKey, signal?: AbortSignal): Promise<(Date | null)[]> {
    return this.calling(async (limit) => {
      const rows = await this.fetchRows(key, limit);
      return rows.filter((row) => row['application-id'] === key.application).map(readEnd);
    }, signal);
  }

  /**
   * Checks that the API user may read the entitlements of all users.
   *
   * @throws MissingRoleError if the user may not
   * @throws DependencyDownError if the system is unreachable, refuses the credentials, or returns an unusable answer
   */
  async checkRights(signal?: AbortSignal): Promise<void> {
    const user = this.settings.ACCESSREQ_API_USER ?? '';
    await this.calling((limit) => this.fetchRows({ application: 0, resource: 'check-of-rights', user }, limit), signal);
  }

  private async calling<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const timeout = AbortSignal.timeout(answerTimeoutMs);
    try {
      return await work(signal ? AbortSignal.any([signal, timeout]) : timeout);
    } catch (cause) {
      if (cause instanceof MissingRoleError) throw cause;
      throw new DependencyDownError('access-request system', cause);
    }
  }

  private async fetchRows({ user, resource }: EntitlementKey, signal: AbortSignal): Promise<Row[]> {
    const query = new URLSearchParams({ user, resource, expired: 'true' }).toString();
    const response = await this.fetch(`/api/entitlements?${query}`, signal);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`/api/entitlements returned the status ${String(response.status)}`);
    const rows = JSON.parse(text) as Row[];
    if (!Array.isArray(rows)) throw new Error('/api/entitlements did not return a list');
    await this.requireRights(response.headers.get(rolesHeader), signal);
    if (!rows.every((row) => row.user?.userid === user && row.resource === resource)) {
      throw new Error('/api/entitlements returned entitlements of other users or resources');
    }
    return rows;
  }

  /**
   * Checks the rights of the answer that has just arrived. Without the rights, REMS ignores the filter by user and returns
   * the entitlements of the API user, which are usually none.
   */
  private async requireRights(roles: string | null, signal: AbortSignal): Promise<void> {
    const isHeld = roles === null ? await this.isReader(signal) : roles.split(/\s+/).some(isReadingRole);
    this.lastRights = isHeld ? 'held' : 'missing';
    if (!isHeld) throw new MissingRoleError(roles);
  }

  private async isReader(signal: AbortSignal): Promise<boolean> {
    const { status, body } = await this.fetch(requestOfReaders, signal);
    await body?.cancel();
    if (status !== 200 && status !== 403) throw new Error(`${requestOfReaders} returned the status ${String(status)}`);
    return status === 200;
  }

  private fetch(path: string, signal: AbortSignal): Promise<Response> {
    return fetch(new URL(`${(this.settings.ACCESSREQ_URL ?? '').replace(/\/+$/, '')}${path}`), {
      headers: {
        Accept: 'application/json',
        'x-rems-api-key': this.settings.ACCESSREQ_API_KEY ?? '',
        'x-rems-user-id': this.settings.ACCESSREQ_API_USER ?? '',
      },
      redirect: 'error',
      signal,
    });
  }
}

/** An entitlement in a list of REMS. */
interface Row {
  readonly 'application-id'?: unknown;
  readonly resource?: unknown;
  readonly user?: { readonly userid?: unknown } | null;
  readonly end?: unknown;
}

function isReadingRole(role: string): boolean {
  return readingRoles.includes(role);
}

function readEnd({ end }: Row): Date | null {
  if (end === null || end === undefined) return null;
  const instant = typeof end === 'string' ? parseInstant(end) : null;
  if (!instant) throw new Error('the end of an entitlement is not an instant');
  return instant;
}
