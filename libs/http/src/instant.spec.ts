import { isDayOrInstant, isInstant, utcOf } from './instant.js';

const instants = [
  '2026-01-31T08:00Z',
  '2026-01-31T08:00:00Z',
  '2026-01-31T08:00:00.123456789Z',
  '2026-01-31T08:00:00+05:30',
  '2026-01-31T08:00:00-0100',
  '2024-02-29T23:59:59Z',
];
const withoutOffset = ['2026-01-31T08:00', '2026-01-31T08:00:00', '2026-01-31T08:00:00.123'];
const days = ['2026-01-31', '2024-02-29', '1000-01-01', '9999-12-31'];
const neither = [
  '',
  'soon',
  '2026',
  '2026-W48-1',
  '2026-02-30',
  '2026-02-30T08:00:00Z',
  '2026-13-01',
  '2026-01-31 08:00:00Z',
  '2026-01-31T25:00:00Z',
  '2026-01-31T08:00:00+99:00',
  '0000-01-01',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  ' 2026-01-31T08:00:00Z',
  20260131,
  null,
  ['2026-01-31T08:00:00Z'],
];

describe(isInstant.name, () => {
  it.each(instants)('should accept %s', (text) => {
    expect([isInstant(text), isDayOrInstant(text)]).toEqual([true, true]);
  });

  it.each([...days, ...withoutOffset])('should refuse %s when it is only a day or has no offset', (text) => {
    expect([isInstant(text), isDayOrInstant(text)]).toEqual([false, true]);
  });

  it.each(neither)('should refuse %j', (value) => {
    expect([isInstant(value), isDayOrInstant(value)]).toEqual([false, false]);
  });
});

describe(utcOf.name, () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-07-31T08:00', '2026-07-31T08:00:00.000Z'],
    ['2026-07-31T08:00:00.5', '2026-07-31T08:00:00.500Z'],
    ['2026-07-31T08:00:00Z', '2026-07-31T08:00:00.000Z'],
    ['2026-07-31T08:00:00-0130', '2026-07-31T09:30:00.000Z'],
  ])('should convert %s to %s', (text, instant) => {
    expect(utcOf(text)).toBe(instant);
  });
});
