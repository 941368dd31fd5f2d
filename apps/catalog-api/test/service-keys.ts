import { globalKey, type RunningCatalog } from './catalog.js';

/** The programs of the tests by name, in the order of their ids. The first two are limited to projects. */
const programs = {
  limited: { scopes: ['records:read'], projects: ['RDC_2', 'RDC_99'] },
  'limited-writer': { scopes: ['records:read', 'records:write'], projects: ['RDC_1'] },
  reader: { scopes: ['records:read'] },
  writer: { scopes: ['records:read', 'records:write', 'records:publish'] },
  'without-records': { scopes: ['audit:read'] },
} as const;

/** Creates the service keys of the tests. @returns the keys by the names of the programs */
export async function giveServiceKeys(catalog: RunningCatalog): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const [name, rights] of Object.entries(programs)) {
    const body = JSON.stringify({ name, ...rights });
    const made = await catalog.fetch('/api/admin/service-keys', { method: 'POST', key: globalKey, body });
    if (made.status !== 201) throw new Error(`service key ${name}: ${String(made.status)} ${await made.text()}`);
    keys.set(name, ((await made.json()) as { key: string }).key);
  }
  return keys;
}
