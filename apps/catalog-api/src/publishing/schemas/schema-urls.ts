/** The paths of the JSON Schemas of lists, relative to `BASE_PATH`. */
export const schemaUrls = { projects: '/schemas/projects.json', datasets: '/schemas/datasets.json' } as const;

/** Returns the start of a list, up to the items. `$schema` is the path of the schema at the origin. */
export function openWithSchema(list: keyof typeof schemaUrls, basePath = ''): string {
  return `{"$schema":${JSON.stringify(basePath + schemaUrls[list])},"items":[`;
}
