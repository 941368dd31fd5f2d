import { globalKey, type RunningCatalog } from './catalog.js';

/** What a post is answered with, good or bad. */
export interface Answer {
  readonly status: string;
  readonly description?: string;
  readonly results?: { index: number; outcome: string }[];
  readonly more?: { code: string; fields?: { field: string }[]; results?: { index: number; outcome: string }[] };
}

/** Switches the webhook on, for callers of this machine. */
export const webhookOn = { ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.0/8' };

/** Three datasets RDC_1 to RDC_3, the first two of them exposed. */
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

/** Posts to the webhook: text as it is, anything else as JSON. */
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

/** Posts entitlements that must be taken, and gives the outcome of each. */
export async function outcomesOf(catalog: RunningCatalog, body: unknown): Promise<string[]> {
  const [status, { results = [] }] = await postEntitlements(catalog, body);
  expect(status).toBe(200);
  return results.map(({ outcome }) => outcome);
}

/** What the permissions endpoint answers. */
export async function permissionsOf(catalog: RunningCatalog, subject: string): Promise<unknown> {
  return (await catalog.fetch(`/api/permissions/${subject}`, { key: globalKey })).json();
}

/**
 * Waits until a person's access has a status; the time until the next attempt, where there is to be one, passes at once.
 *
 * @throws Error when it has not within 20 s
 */
export async function untilStatus(catalog: RunningCatalog, subject: string, status: string): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    const due = 'UPDATE accesses SET next_attempt_at = now() WHERE subject = $1 AND next_attempt_at > now()';
    await catalog.dataSource.query(due, [subject]);
    const rows = await catalog.dataSource.query<{ status: string }[]>(
      'SELECT status FROM accesses WHERE subject = $1',
      [subject],
    );
    if (rows[0]?.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The access of ${subject} did not become ${status}.`);
}
