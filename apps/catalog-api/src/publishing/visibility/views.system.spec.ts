import { setImmediate } from 'node:timers/promises';
import { callerWith, look, readings, type Caller, type Reading, type Seen } from '../../../test/caller-sight.js';
import { signedInAs } from '../../../test/signed-in.js';
import { randomNumbers, randomWrite, send } from '../../../test/random-writes.js';
import { giveServiceKeys } from '../../../test/service-keys.js';
import { keys, smallCatalog, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';

const writes = 12;
const runMs = 300_000;

type Sight = ReadonlyMap<Reading, Seen>;

/** Reads everything as every caller before and after each random write. */
describe.each([
  [7, 'false'],
  [11, 'true'],
])('views after random writes (seed %d, PROTECTED_INHERITS=%s)', (seed, inherits) => {
  let catalog: SmallCatalog;
  let callers: ReadonlyMap<string, Caller>;

  beforeAll(async () => {
    catalog = await startSmallCatalog(smallCatalog, { PROTECTED_INHERITS: inherits });
    callers = await everyCaller(catalog);
    // The fixture wrote the e-mail addresses of users without the catalog.
    await catalog.documents.rebuildAll();
  });

  afterAll(() => catalog.stop());

  it(
    'should move tags, updated_since and modified exactly when the caller can read a difference',
    async () => {
      const random = randomNumbers(seed);
      const faults: string[] = [];
      let before = await sights();
      for (let n = 0; n < writes; n++) {
        const since = await nextMillisecond();
        const write = randomWrite(random, n);
        const status = await send(catalog, write);
        const after = await sights();
        const told = await sights(since);
        for (const name of callers.keys()) {
          const all = [before, after, told].map((each) => each.get(name) ?? new Map<Reading, Seen>()) as Sights;
          for (const fault of faultsOf(...all)) {
            faults.push(
              `${name}: ${fault} after ${write.method} ${write.path} ${JSON.stringify(write.body)} (${String(status)})`,
            );
          }
        }
        before = after;
      }
      expect(faults.slice(0, 30)).toEqual([]);
      const kept = 'SELECT * FROM view_records ORDER BY list, record_id, view';
      const noticed = await catalog.dataSource.query<object[]>(kept);
      await catalog.documents.rebuildAll();
      expect(await catalog.dataSource.query<object[]>(kept)).toEqual(noticed);
    },
    runMs,
  );

  async function sights(since?: string): Promise<Map<string, Sight>> {
    const all = new Map<string, Sight>();
    for (const [name, caller] of callers) {
      const seen = await Promise.all(
        readings.map(async (reading) => [reading, await look(caller, reading, since)] as const),
      );
      all.set(name, new Map(seen));
    }
    return all;
  }
});

type Sights = [before: Sight, after: Sight, told: Sight];

/** Callers of every kind. Their roles do not change, because a changed role changes the view. */
async function everyCaller(catalog: SmallCatalog): Promise<Map<string, Caller>> {
  const withKeys = ['none', 'unknown', 'first', 'second', 'ada', 'plain', 'auditor', 'legal', 'global'] as const;
  const callers = new Map<string, Caller>(withKeys.map((name) => [name, callerWith(catalog, keys[name])]));
  for (const [name, key] of await giveServiceKeys(catalog)) callers.set(name, callerWith(catalog, key));
  for (const [name, id] of Object.entries({ steward: 3, lawyer: 5, person: 6 })) {
    const browser = await signedInAs(catalog, id);
    callers.set(name, (path, headers = {}) => browser.fetch(path, { headers }));
  }
  return callers;
}

/** Waits for the next millisecond, because the times of records have milliseconds. @returns its time */
async function nextMillisecond(): Promise<string> {
  const before = Date.now();
  while (Date.now() === before) await setImmediate();
  return new Date().toISOString();
}

function faultsOf(before: Sight, after: Sight, told: Sight): string[] {
  return readings.flatMap((reading) => {
    const [was, is, since] = [before.get(reading), after.get(reading), told.get(reading)];
    if (!was || !is || !since) return [];
    const group = readings.filter((each) => each.group === reading.group);
    const sameGroup = group.every((each) => before.get(each)?.text === after.get(each)?.text);
    const name = `${reading.path}${reading.linked ? ' as linked data' : ''}`;
    const faults: string[] = [];
    if (was.text !== is.text && was.etag === is.etag && is.status === 200) faults.push(`${name} kept its tag`);
    if (sameGroup && was.etag !== is.etag) faults.push(`${name} has another tag`);
    if (sameGroup && was.whole !== is.whole) faults.push(`${name} has another modified`);
    const changedHere = [...is.items].filter(([key, item]) => was.items.get(key) !== item).map(([key]) => key);
    // The end of a page and the selection by a title can change without a change of the records.
    const missed = /limit|project_title/.test(reading.path) ? [] : changedHere.filter((key) => !since.items.has(key));
    if (missed.length > 0) faults.push(`${name} since then misses ${missed.join(', ')}`);
    const changed = (key: string): boolean =>
      group.some((each) => before.get(each)?.items.get(key) !== after.get(each)?.items.get(key));
    const extra = [...since.items.keys()].filter((key) => !changed(key));
    if (extra.length > 0) faults.push(`${name} since then has ${extra.join(', ')}`);
    return faults;
  });
}
