import { nearestName } from './nearest-name.js';

describe(nearestName.name, () => {
  const names = ['limit', 'cursor', 'updated_since', 'fields', 'project_id', 'q'];

  it.each([
    ['update_since', 'updated_since'],
    ['updatedSince', 'updated_since'],
    ['updated-since', 'updated_since'],
    ['LIMIT', 'limit'],
    ['limt', 'limit'],
    ['field', 'fields'],
    ['page', undefined],
    ['acronym', undefined],
    ['', undefined],
    ['x'.repeat(100), undefined],
  ])('given %j, should return %j', (wrong, expected) => {
    expect(nearestName(wrong, names)).toBe(expected);
  });

  it('should return the nearest when several are near', () => {
    expect(nearestName('dates', ['datasets', 'date', 'rate'])).toBe('date');
  });
});
