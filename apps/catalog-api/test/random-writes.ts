import { keys, type SmallCatalog } from './small-catalog.js';

/** Returns a linear congruential generator, which returns the same numbers in every run with the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

export interface WriteCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

type Random = (below: number) => number;

/** Returns a random call that changes, shows or hides something in the small catalog. `n` makes its texts unique. */
export function randomWrite(random: Random, n: number): WriteCall {
  const kinds = [...recordWrites, ...rightWrites, ...settingWrites];
  return (kinds[random(kinds.length)] ?? unchangedDataset)(random, n);
}

/** Sends a write with the global key. A refusal is not an error. @throws Error if the service fails */
export async function send(catalog: SmallCatalog, { method, path, body }: WriteCall): Promise<number> {
  const answer = await catalog.fetch(path, { method, key: keys.global, ...(body && { body: JSON.stringify(body) }) });
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${String(answer.status)} ${await answer.text()}`);
  await answer.text();
  return answer.status;
}

const patch = (path: string, body: object): WriteCall => ({ method: 'PATCH', path, body });
const post = (path: string, body: object = {}): WriteCall => ({ method: 'POST', path, body });
const text = (n: number): string => `text ${String(n)}`;
const id = (random: Random, count = 3): string => String(1 + random(count));
const project = (random: Random): string => `RDC_${id(random)}`;
const endpoint = (random: Random): string => ['First portal', 'Second portal', 'Nothing exposed'][random(3)] ?? '';

const unchangedDataset = (): WriteCall => patch('/api/datasets/1', {});

const recordWrites: ((random: Random, n: number) => WriteCall)[] = [
  (random, n) => patch(`/api/datasets/${id(random)}`, { description: text(n) }),
  (random, n) => patch(`/api/datasets/${id(random)}`, { storages: [storage('Internal server', n)] }),
  (random, n) => patch(`/api/datasets/${id(random)}`, { storages: [storage('Public portal', n)] }),
  (random) => patch(`/api/datasets/${id(random)}`, { project_external_id: project(random) }),
  (random, n) => post('/api/datasets', { name: `Made ${String(n)}`, project_external_id: project(random) }),
  (random) => ({ method: 'DELETE', path: `/api/datasets/${id(random, 6)}` }),
  (random, n) => patch(`/api/projects/${id(random)}`, { description: text(n) }),
  (random, n) => patch(`/api/projects/${id(random)}`, { name: `Title ${String(n % 3)}` }),
  (random, n) => patch(`/api/contracts/${id(random)}`, { comments: text(n) }),
  (random, n) => post('/api/contracts', { name: `Contract ${String(n)}`, project_id: 1 + random(3) }),
  (random) => ({ method: 'DELETE', path: `/api/contracts/${id(random, 6)}` }),
  (random, n) => patch(`/api/partners/${id(random, 2)}`, { name: `Partner ${String(n)}` }),
  (random, n) => post('/api/partners', { name: `Partner ${String(n)}` }),
  (random) => post(`/api/partners/${id(random, 3)}/${random(2) === 0 ? 'publish' : 'unpublish'}`),
  (random) => post(`/api/cohorts/${id(random, 2)}/${random(2) === 0 ? 'publish' : 'unpublish'}`),
  (random, n) => patch(`/api/cohorts/${id(random, 2)}`, { contacts: [contact(n)] }),
  (random, n) => patch(`/api/cohorts/${id(random, 2)}`, { description: text(n) }),
];

const rightWrites: ((random: Random, n: number) => WriteCall)[] = [
  (random) => post(`/api/datasets/${id(random)}/exposures`, { endpoint: endpoint(random), form_id: 1 + random(3) }),
  (random) => post(`/api/datasets/${id(random)}/exposures`, { endpoint: endpoint(random), form_id: 1 + random(3) }),
  (random, n) => post(`/api/datasets/${id(random)}/exposures/${id(random, 9)}/deprecate`, { reason: text(n) }),
  (random) =>
    post('/api/admin/grants', { user_id: 1 + random(6), resource: protectedKind(random), record_id: id(random) }),
  (random) => ({ method: 'DELETE', path: `/api/admin/grants/${id(random, 8)}` }),
  (random) => ({
    method: 'PUT',
    path: `/api/admin/${protectedKind(random)}/${id(random)}/custodians`,
    body: { custodians: random(2) === 0 ? [] : [1 + random(6)] },
  }),
];

const settingWrites: ((random: Random, n: number) => WriteCall)[] = [
  (random) => patch(`/api/admin/endpoints/${id(random)}`, { public: random(2) === 0 }),
  (random, n) =>
    patch(`/api/admin/endpoints/${id(random)}`, { url_pattern: `https://portal/${String(n % 2)}/\${entity_id}` }),
  (random, n) => patch(`/api/admin/endpoints/${id(random)}`, { url_pattern: `no address ${String(n)}` }),
  (random) => patch(`/api/admin/platforms/${id(random, 2)}`, { public: random(2) === 0 }),
  (random, n) => patch(`/api/admin/platforms/${id(random, 2)}`, { name: `Platform ${String(n)}` }),
  (random, n) => patch(`/api/admin/users/${id(random, 7)}`, { last_name: `Name ${String(n)}` }),
  (random, n) => patch(`/api/admin/users/${id(random, 7)}`, { email: `mail${String(n)}@example.org` }),
  (random, n) => patch(`/api/admin/users/${id(random, 7)}`, { subject: `subject-${String(n)}` }),
  () => post('/api/admin/users/7/key'),
  (random) => patch('/api/admin/users/7', { active: random(2) === 0 }),
  // The first write concerns the key of the program `limited`. The next write creates a key that the tests do not use.
  (random) => patch('/api/admin/service-keys/1', { projects: [project(random), 'RDC_99'] }),
  (random, n) =>
    post('/api/admin/service-keys', {
      name: `made-${String(n)}`,
      scopes: ['records:read'],
      projects: [project(random)],
    }),
];

function protectedKind(random: Random): string {
  return ['projects', 'datasets', 'contracts'][random(3)] ?? 'projects';
}

function storage(platform: string, n: number): object {
  return { platform, location: `https://files.example.org/${String(n)}`, category: 'master', accesses: [] };
}

function contact(n: number): object {
  const person = { first_name: 'Ext', last_name: 'Person', type: 'Principal_Investigator', partners: [] };
  return { ...person, email: `contact${String(n)}@example.org`, phone: null, address: null, oidc_id: null };
}
