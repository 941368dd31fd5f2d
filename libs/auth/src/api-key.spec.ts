import { apiKeyOf } from './api-key.js';

describe(apiKeyOf.name, () => {
  it.each([
    ['the header', { 'x-api-key': 'h' }, {}, 'h'],
    ['the header before the parameter', { 'x-api-key': 'h' }, { API_KEY: 'q' }, 'h'],
    ['the parameter', {}, { API_KEY: 'q' }, 'q'],
    ['the parameter when the header is empty', { 'x-api-key': ' ' }, { API_KEY: 'q' }, 'q'],
    ['no key when both are empty', { 'x-api-key': '' }, { API_KEY: '' }, null],
    ['no key when none came', {}, {}, null],
    ['no key from a parameter in another case', {}, { api_key: 'q' }, null],
  ])('should return %s', (_, headers, query, expected) => {
    expect(apiKeyOf({ headers, query })).toBe(expected);
  });

  it('should throw an error without the keys when the parameter is repeated', () => {
    const repeated = { headers: {}, query: { API_KEY: ['secret one', 'secret two'] } };
    expect(() => apiKeyOf(repeated)).toThrow('API_KEY must be given once');
  });
});
