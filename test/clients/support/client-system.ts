import { startCatalog, globalKey } from '../../../apps/catalog-api/test/catalog.ts';
import { TestSystem } from '../../../apps/provisioner/test/support/system.ts';
import { ForwardingHeaders } from '../../../scripts/gateway/forwarding-headers.ts';
import { Gateway } from '../../../scripts/gateway/gateway.ts';

/** A catalog and a provisioner with a worker behind one gateway, with records and deliveries. */
export interface ClientSystem {
  /** The settings of the clients: `RDC_URL`, and `RDC_KEY`, a service key for both services. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

const secrets = {
  SESSION_SECRET: 'the session secret of both services',
  GATEWAY_SECRET: 'the secret of the gateway',
};

const scopes = ['records:read', 'records:write', 'imports:read', 'imports:write'];

const ready = { '.ready': '' };
const dataset = { 'a.txt': 'a', ...ready };
const wrongDigest = `${'0'.repeat(64)}  a.txt\n`;

/** Starts the system in this process. */
export async function startClientSystem(): Promise<ClientSystem> {
  const catalog = await startCatalog({ ...secrets, KEY_HASH_SECRET: 'the secret of the key hashes' });
  const provisioner = await TestSystem.create({ ...secrets, CATALOG_URL: catalog.url, CATALOG_API_KEY: globalKey });
  await provisioner.deliver('SUB-2026-001', within('DS-001', dataset));
  for (const language of ['PY', 'TS']) {
    const datasets = [1, 2, 3, 4].map((number) => within(`${language}-${String(number)}`, dataset));
    const rejected = within(`${language}-BAD`, { ...dataset, SHA256SUMS: wrongDigest });
    await provisioner.deliver(`SUB-${language}`, Object.assign({}, ready, ...datasets, rejected) as typeof ready);
  }
  await provisioner.startServer();
  await provisioner.startWorker();
  const ports = { 'catalog-api': portOf(catalog.url), provisioner: portOf(provisioner.url) };
  const gateway = new Gateway({ ports, headers: new ForwardingHeaders(secrets.GATEWAY_SECRET, []) });
  const url = `http://127.0.0.1:${String(await gateway.listen(0, '127.0.0.1'))}`;
  const create = (path: string, body: object): Promise<Readonly<Record<string, unknown>>> =>
    created(`${url}${path}`, body);
  await create('/api/partners', { name: 'A partner' });
  await create('/api/datasets', { name: 'A dataset' });
  await create('/api/projects', { acronym: 'PROJECT' });
  await create('/api/cohorts', { name: 'A cohort' });
  await create('/api/contracts', { name: 'A contract' });
  const { key } = await create('/api/admin/service-keys', { name: 'clients', scopes });
  return {
    environment: { RDC_URL: url, RDC_KEY: String(key) },
    stop: async () => {
      await gateway.close();
      await provisioner.stop();
      await catalog.stop();
    },
  };
}

/** Sends a record with the global key. @returns the created record */
async function created(address: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'X-API-Key': globalKey },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${address} answered ${String(answer.status)}: ${await answer.text()}`);
  return (await answer.json()) as Readonly<Record<string, unknown>>;
}

function within(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
