import { jest } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counterIndex } from '../copy/copy-messages.js';
import { thisAgent } from '../process/software-agent.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { StoredRequestLog } from '../request-log/stored-request-log.js';
import type { ImportRequest } from '../model/import-record.js';
import { ProgressMeter } from './progress-meter.js';
import { ImportStatusReporter } from './import-status-reporter.js';

const request: ImportRequest = {
  id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  kind: 'dataset',
  subject: 'DS-1',
  attempt: 1,
  requested_by: 'test',
  requested_at: '2026-01-01T00:00:00.000Z',
  requested_from: '127.0.0.1',
  accepted_by: thisAgent,
};

/** What one start of the import does until its worker is killed, or stopped. */
interface Start {
  readonly moved?: number;
  /** Parts of a large file that are found in the bucket. */
  readonly found?: number;
  readonly noted?: number;
  readonly stopped?: boolean;
}

describe(ImportStatusReporter.name, () => {
  let root: string;
  let log: StoredRequestLog;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'status-'));
    log = new StoredRequestLog(new PosixRecords(root));
    await log.open(request);
  });

  afterEach(() => removeTree(root));

  /** @returns how many starts in a row kept nothing, as each start finds it */
  async function idleAt(starts: readonly Start[]): Promise<readonly number[]> {
    const seen: number[] = [];
    for (const { moved = 0, found = 0, noted = 0, stopped = false } of starts) {
      const [meter, process] = [new ProgressMeter(), new AbortController()];
      const keeper = new ImportStatusReporter(
        log,
        request,
        meter,
        (await log.find(request.id))?.status ?? null,
        process.signal,
      );
      seen.push((await keeper.start()).idleStarts);
      Atomics.add(meter.counters, counterIndex.bytes, BigInt(moved));
      Atomics.add(meter.counters, counterIndex.resumed, BigInt(found));
      Object.assign(meter.recorded, { files: noted, bytes: noted });
      if (stopped) process.abort();
      // A killed one has written its last status before.
      else await keeper.sendHeartbeat();
      await keeper.stop();
    }
    return seen;
  }

  it('should not take bytes that moved for progress', async () => {
    expect(await idleAt([{ moved: 10 }, { moved: 20 }, { moved: 30 }])).toEqual([1, 2, 3]);
  });

  it('should count from anew when a file was noted, or more parts of one were found', async () => {
    expect(await idleAt([{}, { noted: 1 }, {}])).toEqual([1, 2, 1]);
    expect(await idleAt([{ moved: 9, found: 5 }, { found: 5 }, { found: 5 }, { found: 6 }, {}])).toEqual([
      2, 1, 2, 3, 1,
    ]);
  });

  it('should leave out what a slow log has no time for, and not wait for it at the end', async () => {
    jest.useFakeTimers();
    let [writes, looks, most] = [0, 0, 0];
    const slowly = async <T>(answer: T): Promise<T> => {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return answer;
    };
    const slow = {
      noteStatus: () => slowly((writes += 1)),
      isStopRequested: async () => {
        most = Math.max(most, (looks += 1));
        await slowly(null);
        looks -= 1;
        return false;
      },
    } as unknown as StoredRequestLog;
    const keeper = new ImportStatusReporter(slow, request, new ProgressMeter(), null, new AbortController().signal);
    const starting = keeper.start();
    await jest.advanceTimersByTimeAsync(5_000);
    await starting;
    await jest.advanceTimersByTimeAsync(60_000);
    const before = writes;
    const stopping = keeper.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    await stopping;
    jest.useRealTimers();
    expect([most, writes]).toEqual([1, before]);
  });

  it('should not count a start that was cut short by a stop of its process', async () => {
    expect(await idleAt([{ stopped: true }, { stopped: true }, {}, {}])).toEqual([1, 1, 1, 2]);
  });
});
