import { jest } from '@jest/globals';
import { PeriodicTask } from './periodic-task.js';

const everyMs = 60_000;

describe(PeriodicTask.name, () => {
  let runs: number;
  let failures: unknown[];
  /** Ends the run in progress; with an error, the run fails. */
  let end: (error?: Error) => void;
  let task: PeriodicTask;

  beforeEach(() => {
    jest.useFakeTimers();
    [runs, failures] = [0, []];
    const run = (): Promise<void> => {
      runs += 1;
      return new Promise((resolve, reject) => {
        end = (error) => {
          if (error) reject(error);
          else resolve();
        };
      });
    };
    task = new PeriodicTask(run, everyMs, (error) => failures.push(error));
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const advance = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('should start the next run when the interval after the previous run has passed', async () => {
    task.start();
    await advance(10 * everyMs);
    expect([runs, task.isRunning]).toEqual([1, true]);
    end();
    await advance(everyMs - 1);
    expect([runs, task.isRunning]).toEqual([1, false]);
    await advance(1);
    expect(runs).toBe(2);
  });

  it('should delay the first run when start is called with a delay', async () => {
    task.start(everyMs);
    await advance(everyMs - 1);
    expect(runs).toBe(0);
    await advance(1);
    expect(runs).toBe(1);
  });

  it('should report the failure of a run and continue', async () => {
    task.start();
    await advance(0);
    end(new Error('lost'));
    await advance(everyMs);
    expect([runs, failures]).toEqual([2, [new Error('lost')]]);
  });

  it('should report a failure when the function throws synchronously', async () => {
    const broken = new PeriodicTask(
      () => {
        throw new Error('broken');
      },
      everyMs,
      (error) => failures.push(error),
    );
    broken.start();
    await advance(everyMs);
    expect(failures).toHaveLength(2);
    await broken.stop();
  });

  it('should run immediately when runNow is called between two runs', async () => {
    task.start();
    await advance(0);
    end();
    await advance(1);
    task.runNow();
    await advance(0);
    expect(runs).toBe(2);
  });

  it('should run once more after the run in progress when runNow is called repeatedly', async () => {
    task.start();
    await advance(0);
    for (let call = 0; call < 3; call += 1) task.runNow();
    expect(runs).toBe(1);
    end();
    await advance(0);
    expect(runs).toBe(2);
    end();
    await advance(everyMs - 1);
    expect(runs).toBe(2);
  });

  it('should not run before start, and skip the first delay when runNow was called', async () => {
    task.runNow();
    await advance(everyMs);
    expect(runs).toBe(0);
    task.start(everyMs);
    await advance(0);
    expect(runs).toBe(1);
  });

  it('should start no run after stop, and resolve stop when the run in progress has ended', async () => {
    task.start();
    await advance(0);
    let hasStopped = false;
    const stopping = task.stop().then(() => (hasStopped = true));
    await advance(everyMs);
    expect([task.isStopped, hasStopped]).toEqual([true, false]);
    end();
    await stopping;
    task.runNow();
    await advance(10 * everyMs);
    expect(runs).toBe(1);
  });
});
