/** Where the JSON Schemas of exported records are published, relative to the origin; the value of `$schema`. */
export const schemaUrls = { projects: '/schemas/project.json', datasets: '/schemas/dataset.json' } as const;
