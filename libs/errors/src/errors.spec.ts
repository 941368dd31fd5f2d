import { AppError } from './app-error.js';
import { statusOf } from './codes.js';
import { envelopeOf } from './envelope.js';
import { DependencyDownError, InvalidInputError, MethodNotAllowedError } from './errors.js';

describe(envelopeOf.name, () => {
  it('should hold the code and the request id, whatever the details claim', () => {
    const error = new AppError('record.in_use', 'A contract refers to it.', { details: { code: 'x', contract: 7 } });
    expect(envelopeOf(error, 'request-1')).toEqual({
      status: 'Error',
      description: 'A contract refers to it.',
      more: { code: 'record.in_use', request_id: 'request-1', contract: 7 },
    });
  });
});

describe(InvalidInputError.name, () => {
  it('should say every problem in one sentence and list the values that would do', () => {
    const error = new InvalidInputError([
      { field: 'page', problem: 'must be a whole number from 1' },
      { field: 'fields', problem: 'knows no "x"', allowed: ['name', 'acronym'] },
      { field: '', problem: 'The body must be a JSON object' },
    ]);
    expect(error.message).toBe(
      'page must be a whole number from 1; fields knows no "x"; The body must be a JSON object',
    );
    expect(error.details['allowed']).toEqual(['name', 'acronym']);
    expect(statusOf(error.code)).toBe(400);
  });

  it('should say the first of very many problems, name a thousand, and count the rest', () => {
    const problems = Array.from({ length: 2000 }, (_, index) => ({ field: `[${String(index)}]`, problem: 'is wrong' }));
    const error = new InvalidInputError(problems, 5000);
    expect(error.message).toMatch(/^\[0\] is wrong; .*\[9\] is wrong; and 4990 more$/);
    expect(error.details['fields']).toEqual(problems.slice(0, 1000));
  });
});

describe(MethodNotAllowedError.name, () => {
  it('should name what is allowed', () => {
    const error = new MethodNotAllowedError('DELETE', ['GET', 'HEAD']);
    expect([error.message, error.allow]).toEqual(['DELETE is not allowed here; use GET or HEAD.', ['GET', 'HEAD']]);
  });
});

describe(DependencyDownError.name, () => {
  it('should say when to try again and keep the cause to itself', () => {
    const error = new DependencyDownError('database', new Error('password rejected'), 7);
    expect(error.retryAfterSeconds).toBe(7);
    expect(JSON.stringify(envelopeOf(error, 'r'))).not.toContain('password');
  });
});
