import { Injectable } from '@nestjs/common';
import { DependencyDownError } from '@rdc/errors';
import { AccessRequestSettings } from './accessreq.settings.js';
import type { EntitlementKey } from './entitlement.js';
import { parseInstant } from './instant.js';

/** If a background request takes longer, the access-request system counts as down. */
const answerTimeoutMs = 15_000;

/** A client of the access-request system's API (REMS), which confirms the claims of a post. */
@Injectable()
export class AccessRequestSystem {
  constructor(private readonly settings: AccessRequestSettings) {}

  /** Whether the address of an access-request system is set. */
  get isConfigured(): boolean {
    return this.settings.ACCESSREQ_URL !== undefined;
  }

  /**
   * Returns the ends of all rows of an entitlement, including past ends. The list is empty if the entitlement is unknown.
   *
   * @param signal aborts the request early
   * @throws DependencyDownError if the system is unreachable, refuses the credentials, or returns an unusable answer
   */
  async findEnds(key: EntitlementKey, signal?: AbortSignal): Promise<(Date | null)[]> {
    const timeout = AbortSignal.timeout(answerTimeoutMs);
    try {
      const rows = await this.fetchRows(key, signal ? AbortSignal.any([signal, timeout]) : timeout);
      return rows.filter((row) => row['application-id'] === key.application).map(readEnd);
    } catch (cause) {
      throw new DependencyDownError('access-request system', cause);
    }
  }

  private async fetchRows({ user, resource }: EntitlementKey, signal: AbortSignal): Promise<Row[]> {
    const url = new URL(`${(this.settings.ACCESSREQ_URL ?? '').replace(/\/+$/, '')}/api/entitlements`);
    url.search = new URLSearchParams({ user, resource, expired: 'true' }).toString();
    const response = await fetch(url, {
      headers: {
        Accept: 'application/json',
        'x-rems-api-key': this.settings.ACCESSREQ_API_KEY ?? '',
        'x-rems-user-id': this.settings.ACCESSREQ_API_USER ?? '',
      },
      redirect: 'error',
      signal,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${url.pathname} returned the status ${String(response.status)}`);
    const rows = JSON.parse(text) as Row[];
    if (!Array.isArray(rows)) throw new Error(`${url.pathname} did not return a list`);
    // If the API user may not read other people's entitlements, REMS ignores the filter and returns that user's own.
    if (!rows.every((row) => row.user?.userid === user && row.resource === resource)) {
      throw new Error(
        `${url.pathname} returned entitlements of other users: ACCESSREQ_API_USER may not read all entitlements`,
      );
    }
    return rows;
  }
}

/** An entitlement in a list of REMS. */
interface Row {
  readonly 'application-id'?: unknown;
  readonly resource?: unknown;
  readonly user?: { readonly userid?: unknown } | null;
  readonly end?: unknown;
}

function readEnd({ end }: Row): Date | null {
  if (end === null || end === undefined) return null;
  const instant = typeof end === 'string' ? parseInstant(end) : null;
  if (!instant) throw new Error('the end of an entitlement is not an instant');
  return instant;
}
