import { jest } from '@jest/globals';
import { Client } from 'pg';
import { signedInAs } from '../../../test/signed-in.js';
import { giveServiceKeys } from '../../../test/service-keys.js';
import { keys, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';
import { Visibility } from './visibility.js';

type Send = (method: string, path: string, headers?: Record<string, string>) => Promise<Response>;

/** A record that a caller cannot see, and an id of the same length without a record. */
interface Pair {
  readonly hidden: string;
  readonly absent: string;
}

const numbered = (hidden: string): Pair => ({ hidden, absent: '9' });

/** Programs whose keys are limited to other projects than the hidden ones. */
const limited = ['limited', 'limited-writer'];

/** The paths that contain the id of a record, by the callers who cannot see the record. `*` represents the id. */
const cases: readonly { callers: readonly string[]; paths: readonly string[]; pairs: readonly Pair[] }[] = [
  {
    callers: ['none', 'unknown', 'first', 'second', 'ada', 'legal', 'lawyer', 'person', ...limited],
    paths: ['/api/projects/*', '/api/dcat/projects/*', '/api/admin/projects/*/custodians'],
    pairs: [numbered('3'), { hidden: 'RDC_3', absent: 'RDC_9' }],
  },
  {
    callers: ['none', 'unknown', 'first', 'second', 'ada', 'legal', 'lawyer', ...limited],
    paths: [
      '/api/datasets/*',
      '/api/dcat/datasets/*',
      '/api/datasets/*/exposures',
      '/api/datasets/*/exposures/1',
      '/api/datasets/*/exposures/1/deprecate',
      '/api/admin/datasets/*/custodians',
    ],
    pairs: [numbered('3'), { hidden: 'RDC_13', absent: 'RDC_19' }],
  },
  {
    callers: ['none', 'unknown', 'first', 'second', 'ada', 'person', ...limited],
    paths: ['/api/contracts/*', '/api/admin/contracts/*/custodians'],
    pairs: [numbered('3')],
  },
  {
    callers: ['none', 'unknown', ...limited],
    paths: ['/api/partners/*', '/api/partners/*/publish', '/api/partners/*/unpublish'],
    pairs: [numbered('2')],
  },
  {
    callers: ['none', 'unknown', 'first', 'ada', 'auditor', 'lawyer', 'person', ...limited],
    paths: ['/api/cohorts/*', '/api/cohorts/*/publish', '/api/cohorts/*/unpublish'],
    pairs: [numbered('2')],
  },
  {
    callers: ['none', 'ada', 'lawyer', ...limited, 'without-records'],
    paths: [
      ...['users', 'endpoints', 'platforms', 'accesses', 'refused-entitlements', 'grants'].map(
        (kind) => `/api/admin/${kind}/*`,
      ),
      ...['/api/admin/users/*/key', '/api/admin/endpoints/*/key', '/api/admin/endpoints/*/exposures'],
      ...['suspend', 'resume', 'terminate', 'retry'].map((action) => `/api/admin/accesses/*/${action}`),
    ],
    pairs: [numbered('1')],
  },
  {
    callers: ['none', 'unknown', 'ada', 'legal', 'lawyer', 'person', ...limited, 'without-records'],
    paths: ['/api/permissions/*'],
    pairs: [{ hidden: 'ext-subject', absent: 'not-subject' }],
  },
];

/** Statements of background work: last uses of keys and sessions, limits, sweeps. */
const periodicStatements =
  /last_used_at =|failure_counts|WITH (due|old) AS|DELETE FROM sessions|event_subscriptions|event_deliveries|FROM events|^BEGIN|^START|^COMMIT/;

describe(`${Visibility.name} of a record that is hidden`, () => {
  let catalog: SmallCatalog;
  const callers = new Map<string, Send>();

  beforeAll(async () => {
    catalog = await startSmallCatalog();
    for (const [name, key] of [...Object.entries(keys), ...(await giveServiceKeys(catalog))]) {
      callers.set(name, (method, path, headers = {}) =>
        catalog.fetch(path, { method, headers, ...(key !== undefined && { key }), ...bodyOf(method) }),
      );
    }
    for (const [name, id] of Object.entries({ lawyer: 5, person: 6 })) {
      const browser = await signedInAs(catalog, id);
      callers.set(name, (method, path, headers = {}) => browser.fetch(path, { method, headers, ...bodyOf(method) }));
    }
  });

  afterAll(() => catalog.stop());

  const cells = cases.flatMap(({ callers: names, paths, pairs }) =>
    paths.flatMap((path) => pairs.flatMap((pair) => names.map((name) => [name, path, pair] as const))),
  );

  it.each(cells)('should answer %s at %s as if %o did not exist', async (name, path, { hidden, absent }) => {
    const send = callers.get(name);
    if (!send) throw new Error(`no caller ${name}`);
    const forms = [
      ...['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'].map((method) => [method, {}] as const),
      ['GET', { Accept: 'application/ld+json' }] as const,
      ['GET', { 'If-None-Match': '*' }] as const,
    ];
    for (const [method, headers] of forms) {
      const answerFor = (id: string): Promise<object> =>
        answerOf(id, () => send(method, path.replace('*', id), headers));
      const whole = await answerFor(hidden);
      expect([method, await answerFor(absent)]).toEqual([method, whole]);
    }
  });

  /** Returns the distinguishable parts of a response, and its statements. */
  async function answerOf(id: string, send: () => Promise<Response>): Promise<object> {
    const query = jest.spyOn(Client.prototype, 'query');
    try {
      const response = await send();
      const text = await response.text();
      const statements = query.mock.calls
        .map(([statement]) =>
          typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text),
        )
        .filter((statement) => !periodicStatements.test(statement));
      const { date, 'x-request-id': requestId, ...headers } = Object.fromEntries(response.headers);
      expect(date).toBeDefined();
      const body = text
        .replaceAll(requestId ?? ' ', '')
        .replaceAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), 'ID');
      expect(response.status).toBeGreaterThanOrEqual(400);
      return { status: response.status, headers, body, statements };
    } finally {
      query.mockRestore();
    }
  }
});

function bodyOf(method: string): RequestInit {
  return method === 'GET' || method === 'HEAD' || method === 'DELETE' ? {} : { body: '{}' };
}
