/**
 * Runs the identity provider of the benchmarks, a real SCIM service in its own process. Arguments: port, token, number
 * of accounts.
 */
import { startScimServer } from '../scripts/scim-server.ts';

const [port, token = '', count] = process.argv.slice(2);
const accounts = Array.from({ length: Number(count) }, (_, at) => {
  const id = `many-${String(at).padStart(6, '0')}`;
  return { id, email: `${id}@example.org`, givenName: 'Some', familyName: `Body ${String(at)}` };
});
await startScimServer(token, accounts, Number(port));
