import { queueDown } from './queue-fault.js';

describe(queueDown.name, () => {
  it.each([
    ["OOM command not allowed when used memory > 'maxmemory'.", undefined, 'memory_full'],
    ['ERR user_script:12: OOM command not allowed when used memory', undefined, 'memory_full'],
    ['MISCONF Redis is configured to save RDB snapshots', undefined, 'disk_failing'],
    ["READONLY You can't write against a read only replica.", undefined, 'read_only'],
    ['could not extend file "base/5/2619"', '53100', 'disk_full'],
    ['cannot execute INSERT in a read-only transaction', '25006', 'read_only'],
    ['no answer within 900 ms', undefined, 'silent'],
  ])('should return the reason when the queue fails with %s', (message, code, reason) => {
    const cause = Object.assign(new Error(message), code !== undefined && { code });
    expect(queueDown(cause)).toMatchObject({ code: 'dependency.down', details: { dependency: 'queue', reason } });
  });
});
