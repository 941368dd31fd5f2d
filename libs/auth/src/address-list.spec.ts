import { AddressList } from './address-list.js';

describe(AddressList.name, () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['192.0.2.7', '::ffff:192.0.2.7', true],
    ['::ffff:192.0.2.7', '192.0.2.7', true],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['2001:db8::/32', '2001:db8:1::5', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '192.0.2.1', false],
    ['*', '203.0.113.1', true],
    ['*', '::1', true],
    ['*', 'not an address', false],
    ['10.0.0.0/8', '10.0.0.1, 10.0.0.2', false],
    ['10.0.0.0/8', '', false],
    ['127.0.0.1', '127.1', false],
    ['8.0.0.1', '010.0.0.1', false],
    ['127.0.0.1', '0x7f.0.0.1', false],
    ['127.0.0.1', '2130706433', false],
  ])('given %s and the address %s, should return %s', (entry, address, expected) => {
    expect(new AddressList([entry]).includes(address)).toBe(expected);
  });

  it('should contain no address when it is empty', () => {
    expect(new AddressList([]).includes('127.0.0.1')).toBe(false);
  });

  it.each([
    '10.0.0.0/33',
    'example.org',
    '10.0.0',
    '010.0.0.1',
    '0x7f.1',
    '10/8',
    '2001:db8::/129',
    '10.0.0.0/8/8',
    '**',
    '',
  ])('should name the entry when %j is not valid', (entry) => {
    expect(() => new AddressList(['127.0.0.1', entry])).toThrow(`"${entry}" is neither an address`);
  });
});
