import { Injectable } from '@nestjs/common';
import { DependencyDownError } from '@rdc/errors';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import type { EntitlementKey } from './entitlement.js';
import { parseInstant } from './instant.js';

/** Longer than this an access-request system that nobody waits for counts as down. */
const answerTimeoutMs = 15_000;

/** The API of the access-request system, as REMS has it: there the claims of a post are confirmed. */
@Injectable()
export class AccessRequestSystem {
  constructor(private readonly settings: CatalogSettings) {}

  /** Whether there is one to ask. */
  get isConfigured(): boolean {
    return this.settings.ACCESSREQ_URL !== undefined;
  }

  /**
   * The ends of all rows of an entitlement, past ones too; none when it has no such entitlement.
   *
   * @param signal gives up early
   * @throws DependencyDownError when it cannot be reached, refuses us, or its answer cannot be used
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
    if (response.status !== 200) throw new Error(`${url.pathname} answered ${String(response.status)}`);
    const rows = JSON.parse(text) as Row[];
    if (!Array.isArray(rows)) throw new Error(`${url.pathname} answered no list`);
    // To a user without the right to read everybody's, REMS answers that user's own, whoever was asked for.
    if (!rows.every((row) => row.user?.userid === user && row.resource === resource)) {
      throw new Error(
        `${url.pathname} answered for others than was asked; ACCESSREQ_API_USER may not read everybody's`,
      );
    }
    return rows;
  }
}

/** An entitlement as REMS lists it. */
interface Row {
  readonly 'application-id'?: unknown;
  readonly resource?: unknown;
  readonly user?: { readonly userid?: unknown } | null;
  readonly end?: unknown;
}

function readEnd({ end }: Row): Date | null {
  if (end === null || end === undefined) return null;
  const instant = typeof end === 'string' ? parseInstant(end) : null;
  if (!instant) throw new Error('an entitlement ends at no instant');
  return instant;
}
