import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const known = new WeakMap<Type, ReadonlySet<string>>();

/** The properties of a query's or body's class: those that have a validation rule, its own and inherited ones. */
export function propertiesOf(type: Type): ReadonlySet<string> {
  const found = known.get(type);
  if (found) return found;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  const properties = new Set(rules.map((rule) => rule.propertyName));
  known.set(type, properties);
  return properties;
}
