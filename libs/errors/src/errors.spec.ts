import { AppError } from './app-error.js';
import { statusOf } from './codes.js';
import { envelopeOf } from './envelope.js';
import { DependencyDownError, InvalidInputError, MethodNotAllowedError } from './errors.js';

describe(envelopeOf.name, () => {
  it('should contain the code and the request id when the details contain others', () => {
    const error = new AppError('record.in_use', 'A contract refers to it.', { details: { code: 'x', contract: 7 } });
    expect(envelopeOf(error, 'request-1')).toEqual({
      status: 'Error',
      description: 'A contract refers to it.',
      more: { code: 'record.in_use', request_id: 'request-1', contract: 7 },
    });
  });
});

describe(InvalidInputError.name, () => {
  it('should state every problem in one sentence and list the accepted values', () => {
    const error = new InvalidInputError([
      { field: 'page', problem: 'must be a whole number from 1' },
      { field: 'fields', problem: 'has no field "x"', allowed: ['name', 'acronym'] },
      { field: '', problem: 'The body must be a JSON object' },
    ]);
    expect(error.message).toBe(
      'page must be a whole number from 1; fields has no field "x"; The body must be a JSON object',
    );
    expect(error.details['allowed']).toEqual(['name', 'acronym']);
    expect(statusOf(error.code)).toBe(400);
  });

  it('should state the first ten of very many problems, list a thousand and count the rest', () => {
    const problems = Array.from({ length: 2000 }, (_, index) => ({ field: `[${String(index)}]`, problem: 'is wrong' }));
    const error = new InvalidInputError(problems, 5000);
    expect(error.message).toMatch(/^\[0\] is wrong; .*\[9\] is wrong; and 4990 more$/);
    expect(error.details['fields']).toEqual(problems.slice(0, 1000));
  });
});

describe(MethodNotAllowedError.name, () => {
  it('should name the allowed methods', () => {
    const error = new MethodNotAllowedError('DELETE', ['GET', 'HEAD']);
    expect([error.message, error.allow]).toEqual(['DELETE is not allowed here; use GET or HEAD.', ['GET', 'HEAD']]);
  });
});

describe(DependencyDownError.name, () => {
  it('should state the time of a retry and hide the cause', () => {
    const error = new DependencyDownError('database', new Error('password rejected'), 7);
    expect(error.retryAfterSeconds).toBe(7);
    expect(JSON.stringify(envelopeOf(error, 'r'))).not.toContain('password');
  });
});
