import { loggedError } from './logger.js';

describe(loggedError.name, () => {
  it('should hold message, code and causes of an error, and nothing else that it has', () => {
    const cause = Object.assign(new RangeError('too far'), { code: 'E_FAR', parameters: ['secret'] });
    const error = Object.assign(new Error('failed', { cause }), { query: 'secret' });
    expect(loggedError(error)).toEqual({
      ...{ type: 'Error', message: 'failed', stack: error.stack },
      cause: { type: 'RangeError', message: 'too far', code: 'E_FAR', stack: cause.stack },
    });
  });

  it('should tell what was thrown that is no error, unless it is an object, which may hold anything', () => {
    expect(loggedError('no room')).toEqual({ type: 'string', message: 'no room' });
    const error = new Error('refused', { cause: new URLSearchParams({ error: 'denied', state: 'secret' }) });
    expect(loggedError(error).cause).toEqual({ type: 'object', message: 'not an error' });
  });
});
