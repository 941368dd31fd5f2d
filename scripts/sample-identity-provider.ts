import { readFile } from 'node:fs/promises';
import { startScimServer, type ScimAccount } from './scim-server.ts';

/** The identity provider of the sample: a SCIM service with the accounts of `sample/accounts.json`, for this machine. */
const accounts = await readFile(new URL('../sample/accounts.json', import.meta.url), 'utf8');
const { SCIM_TOKEN: token = '', PORT: port } = process.env;
const server = await startScimServer(token, JSON.parse(accounts) as ScimAccount[], Number(port ?? 0));
console.log(`The identity provider of the sample answers at ${server.origin}/scim/v2`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
