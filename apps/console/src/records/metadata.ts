import type { FormValues } from './schema.ts';

/** Returns the object that a JSON text contains, or undefined if the text is no JSON object. */
export function jsonObjectOf(text: unknown): FormValues | undefined {
  const value = typeof text === 'string' && text !== '' ? parsed(text) : (text ?? {});
  if (value === '') return {};
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FormValues) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
