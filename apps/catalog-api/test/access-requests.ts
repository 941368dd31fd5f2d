import { randomUUID } from 'node:crypto';
import { until } from '../../../test/support/until.ts';
import { startAccessRequestServer, type AccessRequestServer, type SystemRow } from './access-request-system.js';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';

/** The body of the answer to a post, after a success or a failure. */
export interface Answer {
  readonly status: string;
  readonly description?: string;
  readonly results?: { index: number; outcome: string }[];
  readonly more?: { code: string; fields?: { field: string }[]; results?: { index: number; outcome: string }[] };
}

/** The settings that switch the webhook on, for callers on this machine. */
export const webhookOn = { ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.0/8' };

/** Adds the datasets RDC_1 to RDC_3, of which the first two are exposed. */
export async function addDatasets(catalog: RunningCatalog): Promise<void> {
  await catalog.dataSource.query(
    `INSERT INTO datasets (id, external_id, name, uuid)
     SELECT n, 'RDC_' || n, 'Dataset ' || n, gen_random_uuid() FROM generate_series(1, 3) AS n`,
  );
  await catalog.dataSource.query(`INSERT INTO endpoints (id, name) VALUES (1, 'Portal')`);
  await catalog.dataSource.query(
    `INSERT INTO exposures (dataset_id, endpoint_id, form_id) VALUES (1, 1, 1), (2, 1, 1)`,
  );
}

/** A catalog that confirms claims at an access-request system. Stopping the catalog stops both. */
export interface ConfirmingCatalog extends RunningCatalog {
  readonly system: AccessRequestServer;
}

/** Starts an access-request system, and a catalog with datasets that confirms claims there. */
export async function startConfirmingCatalog(
  settings: Readonly<Record<string, string>> = {},
): Promise<ConfirmingCatalog> {
  const system = await startAccessRequestServer();
  const catalog = await startCatalog({ ...webhookOn, ...system.settings, ...settings });
  await addDatasets(catalog);
  return {
    ...catalog,
    system,
    async stop() {
      await catalog.stop();
      await system.stop();
    },
  };
}

/** Returns the subject of a person who has no access yet. */
export function someone(): string {
  return `person-${randomUUID()}`;
}

/** Returns an entitlement of a person to the first dataset. */
export function claimOf(user: string, end: string | null): SystemRow {
  return { application: 1, resource: 'RDC_1', user, end };
}

/** Posts to the webhook. A text is sent unchanged, any other value as JSON. */
export async function postEntitlements(
  catalog: RunningCatalog,
  body: unknown,
  headers = {},
): Promise<[number, Answer]> {
  const response = await catalog.fetch('/api/accessreq', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  return [response.status, (await response.json()) as Answer];
}

/** Posts entitlements, which must be accepted. Returns the outcome of each. */
export async function outcomesOf(catalog: RunningCatalog, body: unknown): Promise<string[]> {
  const [status, { results = [] }] = await postEntitlements(catalog, body);
  expect(status).toBe(200);
  return results.map(({ outcome }) => outcome);
}

/** Returns the body of `GET /api/permissions/:user_oidc_id`. */
export async function permissionsOf(catalog: RunningCatalog, subject: string): Promise<unknown> {
  return (await catalog.fetch(`/api/permissions/${subject}`, { key: globalKey })).json();
}

/**
 * Waits until a person's access has a status. If the access waits for an attempt, makes the attempt due now.
 *
 * @throws Error if the access does not have the status within 20 s
 */
export async function untilStatus(catalog: RunningCatalog, subject: string, status: string): Promise<void> {
  const due = 'UPDATE accesses SET next_attempt_at = now() WHERE subject = $1 AND next_attempt_at > now()';
  await until(async () => {
    await catalog.dataSource.query(due, [subject]);
    const rows = await catalog.dataSource.query<{ status: string }[]>(
      'SELECT status FROM accesses WHERE subject = $1',
      [subject],
    );
    return rows[0]?.status === status;
  }, 20_000);
}
