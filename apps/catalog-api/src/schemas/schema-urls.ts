/** Where the JSON Schemas of exported lists are published, relative to the origin; the value of `$schema`. */
export const schemaUrls = { projects: '/schemas/projects.json', datasets: '/schemas/datasets.json' } as const;
