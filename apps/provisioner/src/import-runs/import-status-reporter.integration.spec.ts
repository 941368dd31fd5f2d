import { jest } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aRequest } from '../../test/support/requests.js';
import { counterIndex } from '../copy/copy-messages.js';
import type { ImportStatus } from '../model/import-record.js';
import { PosixRecords } from '../storage/posix/posix-records.js';
import { removeTree } from '../storage/posix/remove-tree.js';
import { StoredRequestLog } from '../request-log/stored-request-log.js';
import { ProgressMeter } from './progress-meter.js';
import { ImportStatusReporter } from './import-status-reporter.js';

const request = aRequest('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'DS-1');

/** The progress of one start of the import until its worker is killed or stopped. */
interface Start {
  readonly moved?: number;
  /** Bytes of parts of a large file that are found in the bucket. */
  readonly found?: number;
  readonly recorded?: number;
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

  /** Returns the number of consecutive idle starts at each start. */
  async function idleAt(starts: readonly Start[]): Promise<readonly number[]> {
    const counts: number[] = [];
    for (const { moved = 0, found = 0, recorded = 0, stopped = false } of starts) {
      const [meter, process] = [new ProgressMeter(), new AbortController()];
      const reporter = new ImportStatusReporter(
        log,
        request,
        meter,
        (await log.find(request.id))?.status ?? null,
        process.signal,
      );
      counts.push((await reporter.start()).idleStarts);
      Atomics.add(meter.counters, counterIndex.bytes, BigInt(moved));
      Atomics.add(meter.counters, counterIndex.resumed, BigInt(found));
      Object.assign(meter.recorded, { files: recorded, bytes: recorded });
      if (stopped) process.abort();
      // A killed worker has sent its last heartbeat before.
      else await reporter.sendHeartbeat();
      await reporter.stop();
    }
    return counts;
  }

  it('should count an idle start when bytes were only transferred', async () => {
    expect(await idleAt([{ moved: 10 }, { moved: 20 }, { moved: 30 }])).toEqual([1, 2, 3]);
  });

  it('should reset the idle starts when a file was recorded or more parts were found', async () => {
    expect(await idleAt([{}, { recorded: 1 }, {}])).toEqual([1, 2, 1]);
    expect(await idleAt([{ moved: 9, found: 5 }, { found: 5 }, { found: 5 }, { found: 6 }, {}])).toEqual([
      2, 1, 2, 3, 1,
    ]);
  });

  it('should skip heartbeats and cancel checks when the log is slow', async () => {
    jest.useFakeTimers();
    let [writes, checks, mostChecks] = [0, 0, 0];
    const slowly = async <T>(answer: T): Promise<T> => {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return answer;
    };
    const slow = {
      saveStatus: () => slowly((writes += 1)),
      findWatch: () => slowly(String(writes)),
      isStopRequested: async () => {
        mostChecks = Math.max(mostChecks, (checks += 1));
        await slowly(null);
        checks -= 1;
        return false;
      },
    } as unknown as StoredRequestLog;
    const reporter = new ImportStatusReporter(slow, request, new ProgressMeter(), null, new AbortController().signal);
    const starting = reporter.start();
    await jest.advanceTimersByTimeAsync(5_000);
    await starting;
    await jest.advanceTimersByTimeAsync(60_000);
    const before = writes;
    const stopping = reporter.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    await stopping;
    jest.useRealTimers();
    expect([mostChecks, writes]).toEqual([1, before]);
  });

  it('should write the status every 10 s, and every second while a client reads it', async () => {
    jest.useFakeTimers();
    let [writes, watch] = [0, null as string | null];
    const stub = {
      saveStatus: () => Promise.resolve((writes += 1)),
      findWatch: () => Promise.resolve(watch),
      isStopRequested: () => Promise.resolve(false),
    } as unknown as StoredRequestLog;
    const meter = new ProgressMeter();
    const reporter = new ImportStatusReporter(stub, request, meter, null, new AbortController().signal);
    const writesIn = async (ms: number): Promise<number> => {
      const before = writes;
      await jest.advanceTimersByTimeAsync(ms);
      return writes - before;
    };
    await reporter.start();
    expect(await writesIn(60_000)).toBe(6);
    meter.phase = 'copying';
    expect(await writesIn(1_000)).toBe(1);
    watch = 'first';
    expect(await writesIn(15_000)).toBe(15);
    expect(await writesIn(60_000)).toBe(6);
    watch = 'second';
    expect(await writesIn(2_000)).toBe(2);
    meter.recorded.files = 1;
    await reporter.stop();
    jest.useRealTimers();
  });

  it('should write the status within a second after the first progress', async () => {
    jest.useFakeTimers();
    const idle: number[] = [];
    const stub = {
      saveStatus: (_: unknown, { idle_starts: starts }: ImportStatus) => Promise.resolve(idle.push(starts)),
      findWatch: () => Promise.resolve(null),
      isStopRequested: () => Promise.resolve(false),
    } as unknown as StoredRequestLog;
    const meter = new ProgressMeter();
    const reporter = new ImportStatusReporter(stub, request, meter, null, new AbortController().signal);
    await reporter.start();
    await jest.advanceTimersByTimeAsync(2_000);
    meter.recorded.files = 1;
    await jest.advanceTimersByTimeAsync(5_000);
    await reporter.stop();
    jest.useRealTimers();
    expect(idle).toEqual([1, 0]);
  });

  it('should not count an idle start when its process was stopped', async () => {
    expect(await idleAt([{ stopped: true }, { stopped: true }, {}, {}])).toEqual([1, 1, 1, 2]);
  });
});
