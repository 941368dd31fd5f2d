import { texts } from '../texts/texts.ts';
import { type FormValues, isObjectList, type MemberSchema, writable } from './schema.ts';

/** Returns an error for each required member without a value, by the path of the member in the form. */
export function missingIn(schema: MemberSchema, values: FormValues, path = ''): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [name, member] of writable(schema)) {
    const value = values[name];
    if (schema.required?.includes(name) && typeof value === 'string' && value.trim() === '') {
      errors[path + name] = texts.reading.required;
    }
    if (!member.items || !isObjectList(member) || !Array.isArray(value)) continue;
    for (const [index, entry] of (value as unknown[]).entries()) {
      if (typeof entry !== 'object' || entry === null) continue;
      Object.assign(errors, missingIn(member.items, entry as FormValues, `${path}${name}.${String(index)}.`));
    }
  }
  return errors;
}
