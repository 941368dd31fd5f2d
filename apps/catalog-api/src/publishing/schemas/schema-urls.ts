/** Where the JSON Schemas of exported lists are published, below `BASE_PATH`. */
export const schemaUrls = { projects: '/schemas/projects.json', datasets: '/schemas/datasets.json' } as const;

/** How the answer of such a list begins, up to its items: `$schema` is where its schema is, relative to the origin. */
export function openWithSchema(list: keyof typeof schemaUrls, basePath = ''): string {
  return `{"$schema":${JSON.stringify(basePath + schemaUrls[list])},"items":[`;
}
