import { AddressList } from '@rdc/auth';
import { clientAddress } from './forwarded.js';

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
