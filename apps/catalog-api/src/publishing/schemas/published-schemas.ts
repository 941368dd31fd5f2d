import { Inject, Injectable } from '@nestjs/common';
import type { ListName } from '../documents/list-names.js';
import { listOf, objectOf, recordSchema, type JsonSchema } from './json-schema.js';

/** The member of each list that contains the items. */
const envelopes: Readonly<Record<ListName, 'items' | 'results'>> = {
  projects: 'items',
  datasets: 'items',
  contracts: 'items',
  partners: 'results',
  cohorts: 'results',
};

/** The schema of one record of each kind. */
export type RecordSchemas = Readonly<Record<ListName, JsonSchema>>;

/** Injection token of the `RecordSchemas`. */
export const RECORD_SCHEMAS = Symbol('RECORD_SCHEMAS');

/** Returns the schema of a list of records. */
export function listSchema(list: ListName, record: JsonSchema): JsonSchema {
  const members = {
    $schema: { type: 'string', description: 'The address of this schema.' },
    [envelopes[list]]: listOf({ $ref: String(record['$id']) }, 'The records.'),
  };
  return {
    ...recordSchema(list, `The ${list} that a caller sees.`, objectOf(members, [envelopes[list]])),
    $defs: { [String(record['title'])]: record },
  };
}

/** The published schemas by file name: `project.json` for one record, `projects.json` for the list. */
@Injectable()
export class PublishedSchemas {
  private readonly byFileName: ReadonlyMap<string, JsonSchema>;

  constructor(@Inject(RECORD_SCHEMAS) schemas: RecordSchemas) {
    this.byFileName = new Map(
      Object.entries(schemas).flatMap(([list, record]): [string, JsonSchema][] => [
        [`${String(record['title'])}.json`, record],
        [`${list}.json`, listSchema(list as ListName, record)],
      ]),
    );
  }

  /** Returns the schema of a file name, or undefined if no schema has the name. */
  find(fileName: string): JsonSchema | undefined {
    return this.byFileName.get(fileName);
  }
}
