import { readFile } from 'node:fs/promises';

/** The form of a route's body. */
export interface BodyForm {
  /** Members that the route knows. */
  readonly members: readonly string[];
  /** Whether the members are those of the body, of the elements of a list, or of the elements of its `items`. */
  readonly wrapping: 'none' | 'list' | 'items';
}

/** A route as the published OpenAPI document of its service describes it. */
export interface DescribedRoute {
  readonly method: string;
  /** Path with its parameters in braces. */
  readonly path: string;
  /** Names of the parameters of the query. */
  readonly parameters: readonly string[];
  /** Form of the body; undefined if the route needs none. */
  readonly body: BodyForm | undefined;
}

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Reads the routes of a service from its published description, so that a new route is attacked without being listed here. */
export async function describedRoutes(service: 'catalog-api' | 'provisioner'): Promise<DescribedRoute[]> {
  const file = new URL(`../../docs/openapi/${service}.json`, import.meta.url);
  const description = JSON.parse(await readFile(file, 'utf8')) as Description;
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => name),
      body: bodyOf(operation, description),
    })),
  );
}

/** A PATCH of a record has the members of the record, which its own description leaves open. */
function bodyOf({ requestBody }: Operation, description: Description): BodyForm | undefined {
  const [media] = Object.values(requestBody?.content ?? {});
  return media && formOf(media.schema, description, 'none');
}

function formOf(schema: Schema, description: Description, wrapping: BodyForm['wrapping']): BodyForm {
  const named =
    schema.$ref === undefined ? schema : description.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const [first] = named?.oneOf ?? [];
  if (first) return formOf(first, description, wrapping);
  if (named?.items) return formOf(named.items, description, 'list');
  const members = Object.keys(named?.properties ?? {});
  if (members.length === 1 && members[0] === 'items') {
    return { members: recordMembers(description), wrapping: 'items' };
  }
  return { members: members.length > 0 ? members : recordMembers(description), wrapping };
}

/** Returns the members of a project, for bodies whose members the description does not name. */
function recordMembers({ components }: Description): string[] {
  return Object.keys(components.schemas['Project']?.properties ?? {});
}
