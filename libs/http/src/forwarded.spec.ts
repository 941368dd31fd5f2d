import { AddressList } from '@rdc/auth';
import { clientAddress, servedOrigin } from './forwarded.js';

const nobody = { proxies: new AddressList([]), gatewaySecret: undefined };
const oneProxy = { proxies: new AddressList(['10.0.0.0/8']), gatewaySecret: undefined };

describe(clientAddress.name, () => {
  it('should be the peer when nobody is trusted, whatever the header claims', () => {
    expect(clientAddress({ peer: '203.0.113.9', headers: { 'x-forwarded-for': '192.0.2.1' } }, nobody)).toBe(
      '203.0.113.9',
    );
  });

  it('should take the entry nearest to a trusted proxy, not the one the caller wrote', () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 198.51.100.7' };
    expect(clientAddress({ peer: '10.1.2.3', headers }, oneProxy)).toBe('198.51.100.7');
  });
});

describe(servedOrigin.name, () => {
  it('should be where the caller sees us, as a browser would write it', () => {
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host: '127.0.0.1:3000' } }, nobody)).toBe(
      'http://127.0.0.1:3000',
    );
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host: 'Catalog.Example.org:80' } }, nobody)).toBe(
      'http://catalog.example.org',
    );
  });

  it('should believe a trusted proxy, and nobody else', () => {
    const headers = {
      host: 'catalog-api:3000',
      'x-forwarded-host': 'catalog.example.org',
      'x-forwarded-proto': 'https',
    };
    expect(servedOrigin({ peer: '10.1.2.3', headers }, oneProxy)).toBe('https://catalog.example.org');
    expect(servedOrigin({ peer: '203.0.113.9', headers }, oneProxy)).toBe('http://catalog-api:3000');
  });

  it('should take what the proxy wrote last, not what the caller wrote before it', () => {
    const headers = {
      host: 'x',
      'x-forwarded-host': 'evil.example, catalog.example.org',
      'x-forwarded-proto': 'http,https',
    };
    expect(servedOrigin({ peer: '10.1.2.3', headers }, oneProxy)).toBe('https://catalog.example.org');
  });

  it.each(['', 'a b', 'x/../y@z:port'])('should be empty for the host %p', (host) => {
    expect(servedOrigin({ peer: '203.0.113.9', headers: { host } }, nobody)).toBe('');
  });
});
