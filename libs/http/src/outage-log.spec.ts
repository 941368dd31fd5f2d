import { jest } from '@jest/globals';
import { OutageLog } from './outage-log.js';

describe(OutageLog.name, () => {
  let lines: string[];
  const logger = { log: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };

  beforeEach(() => {
    lines = [];
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('should log one line for the first failure and one for the success when work fails repeatedly', () => {
    const outages = new OutageLog('queue', logger);
    for (let turn = 0; turn < 600; turn += 1) outages.failed(new Error('connect ECONNREFUSED'));
    outages.succeeded();
    outages.succeeded();
    expect(lines).toEqual(['queue: connect ECONNREFUSED', 'queue: works again after 600 failures in 0 s']);
  });

  it('should log another line when the work still fails after the reminder time', () => {
    const outages = new OutageLog('queue', logger, { reminderMs: 20 });
    outages.failed(new Error('refused'));
    outages.failed(new Error('refused'));
    jest.advanceTimersByTime(20);
    outages.failed(new Error('reset'));
    outages.failed(new Error('reset'));
    expect(lines).toEqual(['queue: refused', 'queue: failed 3 times in 0 s, last: reset']);
  });

  it('should end an outage when there was no failure for the quiet time', () => {
    const outages = new OutageLog('queue', logger, { reminderMs: 1000, quietMs: 20 });
    outages.failed(Object.assign(new Error(''), { code: 'ECONNRESET' }));
    jest.advanceTimersByTime(19);
    expect(lines).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(lines).toEqual(['queue: ECONNRESET', 'queue: works again after 1 failures in 0 s']);
  });
});
