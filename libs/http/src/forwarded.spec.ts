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
  describe('when nobody is trusted', () => {
    it.each([
      { 'x-forwarded-for': claimed },
      { 'x-forwarded-for': [claimed, claimed] },
      { 'x-forwarded-for': `${claimed}, ${caller}` },
      { 'x-real-ip': claimed },
      { forwarded: `for=${claimed}` },
      { 'x-client-ip': claimed, 'true-client-ip': claimed },
      { 'x-gateway-secret': '', 'x-forwarded-for': claimed },
    ])('should be the peer, whatever %j claims', (headers) => {
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
    ])('given the header %j, should be %s', (header, expected) => {
      expect(clientAddress({ peer: '10.1.2.3', headers: { 'x-forwarded-for': header } }, one)).toBe(expected);
    });

    it('should read the last line of a repeated header, which the proxy wrote', () => {
      expect(clientAddress({ peer: '10.1.2.3', headers: { 'x-forwarded-for': [claimed, caller] } }, one)).toBe(caller);
    });

    it('should be the peer when somebody else than the proxy calls', () => {
      expect(clientAddress({ peer: caller, headers: { 'x-forwarded-for': claimed } }, one)).toBe(caller);
    });

    it('should know the proxy by its IPv4-mapped address too', () => {
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
    ])('given the header %j, should be %s', (header, expected) => {
      expect(clientAddress({ peer: '10.1.2.3', headers: { 'x-forwarded-for': header } }, two)).toBe(expected);
    });
  });

  describe('behind our own gateway', () => {
    it('should believe the one that knows the secret', () => {
      const headers = { 'x-gateway-secret': 'secret of this run', 'x-forwarded-for': caller };
      expect(clientAddress({ peer: '127.0.0.1', headers }, gateway)).toBe(caller);
    });

    it.each(['guess', '', 'secret of this run '])('should not believe one that says %j', (secret) => {
      const headers = { 'x-gateway-secret': secret, 'x-forwarded-for': claimed };
      expect(clientAddress({ peer: '127.0.0.1', headers }, gateway)).toBe('127.0.0.1');
    });

    it('should believe nobody when no secret is set', () => {
      const headers = { 'x-gateway-secret': 'undefined', 'x-forwarded-for': claimed };
      expect(clientAddress({ peer: '127.0.0.1', headers }, trusting())).toBe('127.0.0.1');
    });
  });
});

describe(servedOrigin.name, () => {
  it('should be where the caller sees us, as a browser would write it', () => {
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host: '127.0.0.1:3000' } }, trusting())).toBe(
      'http://127.0.0.1:3000',
    );
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host: 'Catalog.Example.org:80' } }, trusting())).toBe(
      'http://catalog.example.org',
    );
  });

  it('should believe a trusted proxy, and nobody else', () => {
    const headers = {
      host: 'catalog-api:3000',
      'x-forwarded-host': 'catalog.example.org',
      'x-forwarded-proto': 'https',
    };
    expect(servedOrigin({ peer: '10.1.2.3', headers }, trusting('10.0.0.0/8'))).toBe('https://catalog.example.org');
    expect(servedOrigin({ peer: '203.0.113.9', headers }, trusting('10.0.0.0/8'))).toBe('http://catalog-api:3000');
  });

  it('should take what the proxy wrote last, not what the caller wrote before it', () => {
    const headers = {
      host: 'x',
      'x-forwarded-host': 'evil.example, catalog.example.org',
      'x-forwarded-proto': 'http,https',
    };
    expect(servedOrigin({ peer: '10.1.2.3', headers }, trusting('10.0.0.0/8'))).toBe('https://catalog.example.org');
  });

  it.each(['', 'a b', 'x/../y@z:port'])('should be empty for the host %p', (host) => {
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host } }, trusting())).toBe('');
  });
});
