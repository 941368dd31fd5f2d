/** The parts of an OpenAPI document from which the table of lists is written. */
export interface DescribedLists {
  readonly paths: Readonly<Record<string, { readonly get?: Read }>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface Read {
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A service whose lists the page describes. */
export type ListingService = 'catalog-api' | 'provisioner';

/** The members that contain the items of a list. */
const itemMembers = ['items', 'results', 'dcat:dataset'];

/** The parameters of paging. All other parameters are filters or change the form. */
const pagingParameters = ['limit', 'cursor', 'page', 'since'];

/** Returns the page with the table of a service's lists between the marks of the service. */
export function withListTable(page: string, service: ListingService, description: DescribedLists): string {
  const [begin, end] = [`<!-- lists of ${service}: written by npm run docs:openapi -->`, `<!-- end of ${service} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`docs/integrate.md must contain the marks ${begin} and ${end}.`);
  return `${page.slice(0, from)}${begin}\n\n${tableOf(description)}\n\n${page.slice(to)}`;
}

function tableOf({ paths, components = {} }: DescribedLists): string {
  const rows = Object.entries(paths).flatMap(([path, { get }]) => {
    const row = get && rowOf(get, components.schemas ?? {});
    return row ? [`| \`${path}\` | ${row.join(' | ')} |`] : [];
  });
  return ['| List | Members of the answer | Pages | Other parameters | ETag |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** Returns the cells of a list after its path; undefined if the operation returns no list. */
function rowOf(get: Read, schemas: Readonly<Record<string, Schema>>): readonly string[] | undefined {
  const [answer] = Object.values(get.responses['200']?.content ?? {});
  const schema = answer?.schema && resolve(answer.schema, schemas);
  const members = Object.keys(schema?.properties ?? {});
  const isArray = schema?.type === 'array';
  if (!isArray && !members.some((member) => itemMembers.includes(member))) return undefined;
  const parameters = (get.parameters ?? []).flatMap(({ in: place, name = '' }) => (place === 'query' ? [name] : []));
  return [
    isArray ? 'the array itself' : codes(members),
    pagesOf(parameters, members, get.responses['200'] ?? {}),
    codes(parameters.filter((name) => !pagingParameters.includes(name))),
    '304' in get.responses ? 'yes' : 'no',
  ];
}

function pagesOf(parameters: readonly string[], members: readonly string[], { headers = {} }: Response): string {
  if (parameters.includes('page')) return '`page`';
  if (parameters.includes('since')) return '`cursor`, sent as `since`';
  if (!parameters.includes('cursor')) return 'always whole';
  if (members.includes('next_cursor')) return '`next_cursor`';
  if (members.includes('hydra:view')) return '`hydra:next`';
  if ('Link' in headers) return '`Link`';
  throw new Error(`A list with the parameters ${parameters.join(', ')} does not describe how to get the next page.`);
}

function resolve(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const target = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];
  if (!target) throw new Error(`The document has no schema ${schema.$ref ?? ''}.`);
  return target === schema ? schema : resolve(target, schemas);
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
