import { jest } from '@jest/globals';
import { armFailpoint, failpoint } from './failpoint.js';

describe(failpoint.name, () => {
  const kill = jest.spyOn(process, 'kill').mockReturnValue(true);

  beforeEach(() => {
    kill.mockClear();
  });

  afterAll(() => {
    kill.mockRestore();
    armFailpoint({});
  });

  it.each([
    [{ FAILPOINT: 'after_plan' }, 'SIGKILL'],
    [{ FAILPOINT: 'after_plan:2:SIGSTOP', NODE_ENV: 'test' }, 'SIGSTOP'],
  ])('should send the signal of %j once, at the given pass', (environment, signal) => {
    armFailpoint(environment);
    for (let pass = 0; pass < 4; pass += 1) failpoint('after_plan');
    failpoint('before_done');
    expect(kill.mock.calls).toEqual([[process.pid, signal]]);
  });

  it.each([{}, { FAILPOINT: '' }, { FAILPOINT: 'after_plan', NODE_ENV: 'production' }])(
    'should send no signal with the environment %j',
    (environment) => {
      armFailpoint(environment);
      failpoint('after_plan');
      expect(kill).not.toHaveBeenCalled();
    },
  );

  it('should refuse a name that is not a failpoint', () => {
    expect(() => {
      armFailpoint({ FAILPOINT: 'after_lunch' });
    }).toThrow('unknown failpoint "after_lunch"');
  });
});
