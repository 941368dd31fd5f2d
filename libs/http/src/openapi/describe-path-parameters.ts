import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/**
 * Describes the parameters of paths.
 *
 * @param descriptions the descriptions by the beginning of the path up to the parameter, such as `/imports/{id}`
 */
export function describePathParameters(document: OpenAPIObject, descriptions: Readonly<Record<string, string>>): void {
  for (const { path, operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (!('in' in parameter) || parameter.in !== 'path') continue;
      const place = `{${parameter.name}}`;
      const description = descriptions[path.slice(0, path.indexOf(place) + place.length)];
      if (description !== undefined) parameter.description ??= description;
    }
  }
}
