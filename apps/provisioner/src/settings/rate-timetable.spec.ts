import { isLimited, createLimit, reserve, setRate } from '../copy/rate-limit.js';
import { parseRates, rateAt } from './rate-timetable.js';

const mebibyte = 1024 * 1024;

describe(parseRates.name, () => {
  it.each([
    ['50M', [{ minute: 0, bytesPerSecond: 50 * mebibyte }]],
    ['off', [{ minute: 0, bytesPerSecond: 0 }]],
    [
      '19:00 off, 08:30 1.5G',
      [
        { minute: 510, bytesPerSecond: 1536 * mebibyte },
        { minute: 1140, bytesPerSecond: 0 },
      ],
    ],
  ])('should parse the rates %j', (text, changes) => {
    expect(parseRates(text)).toEqual(changes);
  });

  it.each(['', 'fast', '0', '-1M', '08:00', '8:00 1M', '24:00 1M', '08:00 1M 09:00', '08:00 1M 08:00 2M'])(
    'should return null for %j',
    (text) => {
      expect(parseRates(text)).toBeNull();
    },
  );
});

describe(rateAt.name, () => {
  it.each([
    ['00:00', 0],
    ['07:59', 0],
    ['08:00', mebibyte],
    ['18:59', mebibyte],
    ['19:00', 0],
  ])('should return the rate of the latest change at %s, also after midnight', (time, rate) => {
    const changes = parseRates('08:00 1M 19:00 off') ?? [];
    expect(rateAt(changes, new Date(`2026-11-21T${time}:00`))).toBe(rate);
  });
});

describe(reserve.name, () => {
  it('should reserve no time without a rate, and consecutive times with a rate', () => {
    const limit = createLimit();
    expect([isLimited(limit), reserve(limit, mebibyte)]).toEqual([false, 0]);
    setRate(limit, 1000);
    const waits = [reserve(limit, 1000), reserve(limit, 1000), reserve(limit, 500), reserve(limit, 1)];
    expect(waits[0]).toBe(0);
    expect(waits.slice(1).map((wait) => Math.ceil(wait / 100))).toEqual([10, 20, 25]);
  });
});
