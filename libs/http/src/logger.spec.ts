import { createLogger, loggedError } from './logger.js';

describe(loggedError.name, () => {
  it('should return only message, code, stack and causes when the value is an error', () => {
    const cause = Object.assign(new RangeError('too far'), { code: 'E_FAR', parameters: ['secret'] });
    const error = Object.assign(new Error('failed', { cause }), { query: 'secret' });
    expect(loggedError(error)).toEqual({
      ...{ type: 'Error', message: 'failed', stack: error.stack },
      cause: { type: 'RangeError', message: 'too far', code: 'E_FAR', stack: cause.stack },
    });
  });

  it('should return the text of a primitive value and hide the content when the value is an object', () => {
    expect(loggedError('no room')).toEqual({ type: 'string', message: 'no room' });
    const error = new Error('refused', { cause: new URLSearchParams({ error: 'denied', state: 'secret' }) });
    expect(loggedError(error).cause).toEqual({ type: 'object', message: 'not an error' });
  });
});

describe(createLogger.name, () => {
  it('should write the level as a word and the time in ISO 8601 when a line is logged', () => {
    const written: string[] = [];
    const writer = {
      write: (bytes: Buffer, done: (error: Error | null, count: number) => void) => {
        written.push(bytes.toString());
        done(null, bytes.length);
      },
      writeNow: (bytes: Buffer) => bytes.length,
    };
    createLogger('info', writer).warn('the disk is almost full');
    expect(JSON.parse(written.join(''))).toMatchObject({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      msg: 'the disk is almost full',
    });
  });
});
