import type { FailureCount } from '../src/people/rate-limits/failure-count.entity.js';
import { FailureLimits } from '../src/people/rate-limits/failure-limits.js';
import { administered, password, type Administered } from './administered.js';
import { hashQuickly } from './people.js';
import { Browser } from './support/browser.js';

export { password };

/** The person who signs in. */
export const grace = { id: 7, login: 'grace@example.org' } as const;

/** The user agent of the browsers of {@link grace}. */
export const agent = 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0';

/** A session as lists show it. */
export interface Listed {
  readonly id: string;
  readonly user_agent: string | null;
  readonly current: boolean;
}

/** An entry of the audit trail. */
export interface Entry {
  readonly actor: string;
  readonly action: string;
  readonly record_id: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly address: string | null;
}

/** A catalog with a person who has a local password. */
export interface PeopleCatalog extends Administered {
  readonly passwordHash: string;
  query<T = unknown>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Restores the account to its state at the start, without sessions and failures. */
  reset(): Promise<void>;
  /** Signs grace in with a new browser. */
  signedIn(headers?: Readonly<Record<string, string>>): Promise<Browser>;
  /** The latest entries about a resource, newest first. */
  lastEntries(count: number, resource?: string): Promise<Entry[]>;
}

/** Starts a catalog with a person who signs in by password. */
export async function startPeopleCatalog(settings: Readonly<Record<string, string>> = {}): Promise<PeopleCatalog> {
  const passwordHash = await hashQuickly(password);
  const { id, login } = grace;
  const catalog = await administered(
    [{ record: 'user', id, first_name: 'Grace', last_name: 'Hopper', email: login, password_hash: passwordHash }],
    settings,
  );
  const query = <T>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
    catalog.dataSource.query<T[]>(text, [...values]);
  const limits = catalog.app.get(FailureLimits).active;
  return {
    ...catalog,
    passwordHash,
    query,
    async reset() {
      await query('DELETE FROM sessions WHERE user_id = $1', [id]);
      await query('DELETE FROM second_factors');
      await query(
        `UPDATE users SET active = true, technical = false, subject = NULL, email = $2, password_hash = $3 WHERE id = $1`,
        [id, login, passwordHash],
      );
      for (const { sort, subject } of await query<FailureCount>('SELECT * FROM failure_counts')) {
        limits.find(({ rule }) => rule.sort === sort)?.forget(subject);
      }
      await query('TRUNCATE failure_counts');
    },
    async signedIn(headers = { 'User-Agent': agent }) {
      const browser = new Browser(catalog.url);
      const response = await browser.fetch('/api/session', { method: 'POST', json: { login, password }, headers });
      browser.csrf = ((await response.json()) as { csrf: string }).csrf;
      return browser;
    },
    lastEntries: (count, resource = 'sessions') =>
      query<Entry>(
        `SELECT actor, action, record_id, before, after, address FROM audit_entries WHERE resource = $2
          ORDER BY id DESC LIMIT $1`,
        [count, resource],
      ),
  };
}

/** Returns the status of `GET /api/session` for a browser. */
export async function statusOf(browser: Browser): Promise<number> {
  return (await browser.fetch('/api/session')).status;
}
