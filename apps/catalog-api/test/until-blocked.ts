import { until } from '../../../test/support/until.ts';
import type { TestStore } from './store.js';

/** Waits until a statement waits for a lock of another transaction. */
export function untilBlocked({ dataSource }: Pick<TestStore, 'dataSource'>): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return until(async () => (await dataSource.query<unknown[]>(waiting)).length > 0);
}
