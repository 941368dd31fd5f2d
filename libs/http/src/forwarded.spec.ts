import { AddressList } from '@rdc/auth';
import { clientAddress, servedOrigin, type TrustedForwarders } from './forwarded.js';

const caller = '203.0.113.9';
const claimed = '192.0.2.1';

const trusting = (...proxies: string[]): TrustedForwarders => ({
  proxies: new AddressList(proxies),
  gatewaySecret: undefined,
});
const gateway: TrustedForwarders = { proxies: new AddressList([]), gatewaySecret: 'secret of this run' };

describe(clientAddress.name, () => {
  describe('without trusted proxies', () => {
    it.each([
      { 'x-forwarded-for': claimed },
      { 'x-forwarded-for': [claimed, claimed] },
      { 'x-forwarded-for': `${claimed}, ${caller}` },
      { 'x-real-ip': claimed },
      { forwarded: `for=${claimed}` },
      { 'x-client-ip': claimed, 'true-client-ip': claimed },
      { 'x-gateway-secret': '', 'x-forwarded-for': claimed },
    ])('should return the peer when the headers are %j', (headers) => {
      expect(clientAddress({ peer: caller, headers }, trusting())).toBe(caller);
    });
  });

  describe('behind one trusted proxy', () => {
    const one = trusting('10.0.0.0/8');

    it.each([
      [caller, caller],
      [`${claimed}, ${caller}`, caller],
      [`10.0.0.9, ${claimed}, ${caller}`, caller],
      [`${claimed},${caller}:4711`, caller],
      [`${claimed}, "[2001:db8::5]:80"`, '2001:db8::5'],
      [`${claimed}, 2001:db8::5`, '2001:db8::5'],
      [`::ffff:${caller}`, `::ffff:${caller}`],
      [`${claimed}, unknown`, '10.1.2.3'],
      ['', '10.1.2.3'],
      [`${claimed}, `, '10.1.2.3'],
    ])('given the header %j, should return %s', (header, expected) => {
      expect(clientAddress({ peer: '10.1.2.3', headers: { 'x-forwarded-for': header } }, one)).toBe(expected);
    });

    it('should read the last line when the header is repeated', () => {
      expect(clientAddress({ peer: '10.1.2.3', headers: { 'x-forwarded-for': [claimed, caller] } }, one)).toBe(caller);
    });

    it('should return the peer when the peer is not the proxy', () => {
      expect(clientAddress({ peer: caller, headers: { 'x-forwarded-for': claimed } }, one)).toBe(caller);
    });

    it('should trust the proxy when its address is IPv4-mapped', () => {
      expect(clientAddress({ peer: '::ffff:10.1.2.3', headers: { 'x-forwarded-for': caller } }, one)).toBe(caller);
    });
  });

  describe('behind two trusted proxies', () => {
    const two = trusting('10.0.0.0/8', '2001:db8:ffff::/48');

    it.each([
      [`${claimed}, ${caller}, 2001:db8:ffff::1`, caller],
      [`${caller}, 10.9.9.9`, caller],
      [`${claimed}, ${caller}`, caller],
      [`garbage, 10.9.9.9`, '10.9.9.9'],
    ])('given the header %j, should return %s', (header, expected) => {
      expect(clientAddress({ peer: '10.1.2.3', headers: { 'x-forwarded-for': header } }, two)).toBe(expected);
    });
  });

  describe('behind the gateway on the same machine', () => {
    it('should trust the header when the secret is correct', () => {
      const headers = { 'x-gateway-secret': 'secret of this run', 'x-forwarded-for': caller };
      expect(clientAddress({ peer: '127.0.0.1', headers }, gateway)).toBe(caller);
    });

    it.each(['guess', '', 'secret of this run '])('should not trust the header when the secret is %j', (secret) => {
      const headers = { 'x-gateway-secret': secret, 'x-forwarded-for': claimed };
      expect(clientAddress({ peer: '127.0.0.1', headers }, gateway)).toBe('127.0.0.1');
    });

    it('should not trust any header when no secret is set', () => {
      const headers = { 'x-gateway-secret': 'undefined', 'x-forwarded-for': claimed };
      expect(clientAddress({ peer: '127.0.0.1', headers }, trusting())).toBe('127.0.0.1');
    });
  });
});

describe(servedOrigin.name, () => {
  it('should return the normalised origin when the request has a valid host', () => {
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host: '127.0.0.1:3000' } }, trusting())).toBe(
      'http://127.0.0.1:3000',
    );
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host: 'Catalog.Example.org:80' } }, trusting())).toBe(
      'http://catalog.example.org',
    );
  });

  it('should read the forwarding headers when the peer is a trusted proxy', () => {
    const headers = {
      host: 'catalog-api:3000',
      'x-forwarded-host': 'catalog.example.org',
      'x-forwarded-proto': 'https',
    };
    expect(servedOrigin({ peer: '10.1.2.3', headers }, trusting('10.0.0.0/8'))).toBe('https://catalog.example.org');
    expect(servedOrigin({ peer: '203.0.113.9', headers }, trusting('10.0.0.0/8'))).toBe('http://catalog-api:3000');
  });

  it('should read the last value when the client has sent a value of its own', () => {
    const headers = {
      host: 'x',
      'x-forwarded-host': 'evil.example, catalog.example.org',
      'x-forwarded-proto': 'http,https',
    };
    expect(servedOrigin({ peer: '10.1.2.3', headers }, trusting('10.0.0.0/8'))).toBe('https://catalog.example.org');
  });

  it.each(['', 'a b', 'x/../y@z:port'])('should return an empty text when the host is %p', (host) => {
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host } }, trusting())).toBe('');
  });
});
