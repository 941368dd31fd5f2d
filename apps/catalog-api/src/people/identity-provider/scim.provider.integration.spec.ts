import { startScimServer } from '../../../../../scripts/scim-server.ts';
import { describeIdentityProvider, type AccountServer } from '../../../test/identity-provider-contract.js';
import { scimToken } from '../../../test/scim-server.js';
import { ScimProvider } from './scim.provider.js';

async function startScim(): Promise<AccountServer> {
  const { origin, accounts, stop } = await startScimServer(scimToken);
  return {
    origin,
    stop,
    connect: (through, limits) => new ScimProvider(`${through}/scim/v2`, scimToken, limits),
    connectAsStranger: (through, limits) => new ScimProvider(`${through}/scim/v2/`, 'wrong', limits),
    add(name) {
      const id = `id-${name}`;
      accounts.set(id, { id, email: `${name}@example.org`, givenName: 'Plain', familyName: 'Person' });
      return Promise.resolve(id);
    },
    disable(id) {
      accounts.set(id, { ...accounts.get(id), id, active: false });
      return Promise.resolve();
    },
    remove(id) {
      accounts.delete(id);
      return Promise.resolve();
    },
  };
}

describeIdentityProvider('SCIM 2.0', startScim);
