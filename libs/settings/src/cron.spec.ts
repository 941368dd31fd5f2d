import { isCron, nextCronTime } from './cron.js';

describe(isCron.name, () => {
  it.each(['0 3 * * *', '*/5 * * * *', '0 0 29 2 *', '30 4 1,15 * MON-THU', '0 0 L * *'])(
    'should accept the pattern %j',
    (pattern) => {
      expect(isCron(pattern)).toBe(true);
    },
  );

  it.each([
    ['a word', 'soon'],
    ['a minute out of range', '61 * * * *'],
    ['a field for seconds', '0 0 3 * * *'],
    ['no matching date', '0 0 31 4,6 *'],
    ['a random field', 'H 3 * * *'],
    ['a random entry', '0,H 3 * * *'],
    ['a nickname', '@daily'],
  ])('should refuse a pattern with %s', (_, pattern) => {
    expect(isCron(pattern)).toBe(false);
  });
});

describe(nextCronTime.name, () => {
  it('should return a later time when the given time matches the pattern', () => {
    expect(nextCronTime('0 3 * * *', new Date('2027-01-31T03:00:00Z'))).toEqual(new Date('2027-02-01T03:00:00Z'));
  });

  it('should read the fields in UTC', () => {
    expect(nextCronTime('0 3 * * *', new Date('2027-07-01T02:59:59.500Z'))).toEqual(new Date('2027-07-01T03:00:00Z'));
  });
});
