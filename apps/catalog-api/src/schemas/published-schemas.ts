import type { ListName } from '../documents/document.entity.js';
import { listOf, objectOf, recordSchema, type JsonSchema } from './json-schema.js';
import { recordSchemas } from './record-schemas.js';

/** Where the items of each list stand. */
const envelopes: Readonly<Record<ListName, 'items' | 'results'>> = {
  projects: 'items',
  datasets: 'items',
  contracts: 'items',
  partners: 'results',
  cohorts: 'results',
};

/** The answer of a list. */
function listSchema(list: ListName): JsonSchema {
  const members = {
    $schema: { type: 'string', description: 'The address of this schema.' },
    [envelopes[list]]: listOf({ $ref: String(recordSchemas[list]['$id']) }, 'The records.'),
  };
  const record = recordSchemas[list];
  return {
    ...recordSchema(list, `The ${list} that a caller sees.`, objectOf(members, [envelopes[list]])),
    $defs: { [String(record['title'])]: record },
  };
}

/** Every published schema by its file name: `project.json` for one record, `projects.json` for the list of them. */
export const publishedSchemas: ReadonlyMap<string, JsonSchema> = new Map(
  Object.entries(recordSchemas).flatMap(([list, record]): [string, JsonSchema][] => [
    [`${String(record['title'])}.json`, record],
    [`${list}.json`, listSchema(list as ListName)],
  ]),
);
