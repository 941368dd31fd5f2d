import { readFileSync } from 'node:fs';

/** Name of a caller, and what it sends. */
export type Callers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The answers of a service by caller and address: status, the headers that matter to callers, and body. */
export type Answers = ReadonlyMap<string, string>;

interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: unknown }>>;
}

type Item = Readonly<Record<string, string | number | null>>;

const description = new URL('../../docs/openapi/catalog-api.json', import.meta.url);
const headers = ['content-type', 'etag', 'last-modified', 'link'];
const searches = ['disease', 'phenotype', 'study', 'gene'].map((each) => `/api/termsearch/${each}?search=a&page=1`);

const recordLists = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'];

/** The beginning of paths that a backup leaves out: a restored copy must not send events to the receivers of the original. */
const leftOut = '/api/admin/event-subscriptions';

/** The beginning of the paths that contain the name of a list and the number of a record. */
const links = '/api/admin/links/';

/** The lists whose path is not the beginning of the paths of their items. */
const lists: Readonly<Record<string, string>> = {
  '/api/admin/contracts/{id}/custodians': '/api/contracts',
  '/api/admin/datasets/{id}/custodians': '/api/datasets',
  '/api/admin/projects/{id}/custodians': '/api/projects',
  '/api/dcat/datasets/{id}': '/api/datasets',
  '/api/dcat/projects/{id}': '/api/projects',
  '/api/permissions/{user_oidc_id}': '/api/admin/users',
  ...Object.fromEntries(recordLists.map((list) => [`${links}${list}/{id}`, `/api/admin/${list}`])),
};

/** Sends every GET request of the catalog's description as each caller. The last caller may read every record. */
export async function answersOf(url: string, callers: Callers): Promise<Answers> {
  const { paths } = JSON.parse(readFileSync(description, 'utf8')) as Description;
  const offered = Object.keys(paths).filter((path) => paths[path]?.get !== undefined && !path.startsWith(leftOut));
  const list = async (path: string): Promise<Item[]> => itemsOf(`${url}${path}`, Object.values(callers).at(-1));
  const addresses = ['/sitemap.xml'];
  for (const path of offered) {
    const found = await addressesOf(path, list);
    if (found.length === 0) throw new Error(`No record exists for ${path}: add one to the rehearsal.`);
    addresses.push(...found);
  }
  const answers = new Map<string, string>();
  for (const address of addresses) {
    for (const [caller, sent] of Object.entries(callers)) {
      answers.set(`${caller} ${address}`, await answerOf(`${url}${address}`, sent));
    }
  }
  return answers;
}

/** Returns a path with all existing names. For `/a/{x}/b/{y}`, these are each x and then each y of that x. */
async function addressesOf(path: string, list: (path: string) => Promise<Item[]>): Promise<string[]> {
  if (path === '/api/termsearch/{category}') return searches;
  const parameter = /\/(\{\w+\})/.exec(path);
  if (!parameter) return [path];
  if (parameter[1] === '{list}') {
    const found = recordLists.map((name) => addressesOf(path.replace('{list}', name), list));
    return (await Promise.all(found)).flat();
  }
  const addresses: string[] = [];
  for (const { external_id, id, subject } of await list(lists[path] ?? path.slice(0, parameter.index))) {
    const named = path.startsWith(links) ? id : (external_id ?? id);
    const name = parameter[1] === '{user_oidc_id}' ? subject : named;
    if (name === undefined || name === null) continue;
    addresses.push(...(await addressesOf(path.replace(parameter[1] ?? '', encodeURIComponent(name)), list)));
  }
  return addresses;
}

async function itemsOf(url: string, sent: Readonly<Record<string, string>> = {}): Promise<Item[]> {
  const answer = (await (await fetch(url, { headers: sent })).json()) as Item[] | { items?: Item[]; results?: Item[] };
  return Array.isArray(answer) ? answer : (answer.items ?? answer.results ?? []);
}

/** Returns an answer without its request id, and without the cursor of the change feed, which belongs to one database. */
async function answerOf(url: string, sent: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(url, { headers: sent, redirect: 'manual' });
  const told = headers.map((name) => `${name}: ${response.headers.get(name) ?? ''}`);
  const body = (await response.text())
    .replaceAll(response.headers.get('x-request-id') ?? 'no id', '<request id>')
    .replaceAll(/"cursor":"[^"]*"/g, '"cursor":"<cursor>"');
  return [String(response.status), ...told, body].join('\n');
}

/**
 * Returns the answers without the instants at which records last changed, and without the tags of lists: after
 * `import full` all records changed at the import, and every list has a new version. Linked data, the change feed and the
 * lists and links for curators show the instants.
 */
export function withoutInstantsOfChange(answers: Answers): Answers {
  const showsInstants =
    / \/(sitemap\.xml|api\/dcat|api\/changes|api\/admin\/links\/|api\/admin\/(projects|datasets|contracts|partners|cohorts)$)/;
  const instants =
    /(?<=(?:"dct:modified":"|"schema:dateModified":"|"changed_at":"|<lastmod>))[^"<]+|^(etag|last-modified): .*$/gm;
  const tagOfList = /^etag: W\/.*$/gm;
  return new Map(
    [...answers].map(([question, answer]) => [
      question,
      answer.replaceAll(showsInstants.test(question) ? instants : tagOfList, ''),
    ]),
  );
}
