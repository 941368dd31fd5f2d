/** The parts of an OpenAPI document that the suites check. */
export interface Description {
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The checked parts of an operation. */
export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly 'x-error-codes'?: readonly string[] }>>;
  readonly 'x-callers'?: readonly string[];
}

/** An operation with its method in capitals and its path. */
export interface PlacedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Returns the operations of a document. */
export function operationsOf({ paths }: Description): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Returns the omissions of a document: operations, parameters and tags that it does not describe. */
export function omissionsOf(description: Description): string[] {
  const operations = operationsOf(description);
  const known = description.tags.filter((tag) => tag.description).map(({ name }) => name);
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  const ids = operations.map(({ operationId }) => operationId);
  return [
    ...operations.flatMap((operation) => omissionsOfOperation(operation, known)),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `operationId ${id} is not unique`),
    ...known.filter((tag) => !used.has(tag)).map((tag) => `tag ${tag} is not used`),
    ...['license', 'description', 'version'].filter((member) => !description.info[member]),
    ...(description.servers.length > 0 ? [] : ['servers']),
  ];
}

function omissionsOfOperation(operation: PlacedOperation, knownTags: readonly string[]): string[] {
  const { method, path, operationId, summary, description, tags = [], security, parameters = [] } = operation;
  const own = (description ?? '').replace(/Accepted callers: .*/s, '').trim();
  const undescribed = parameters.filter((each) => !each.description).map(({ name }) => `parameter ${name}`);
  const missing = [
    ...(/^[a-z]+[A-Za-z]*$/.test(operationId) ? [] : [`operationId ${operationId}`]),
    ...(summary ? [] : ['summary']),
    ...(own === '' ? ['description'] : []),
    ...(tags.length === 1 && knownTags.includes(tags[0] ?? '') ? [] : [`tags ${tags.join(', ')}`]),
    ...(security ? [] : ['security']),
    ...undescribed,
  ];
  return missing.map((each) => `${method} ${path}: ${each}`);
}
