import { readFileSync } from 'node:fs';

/** The version in the package of this service. */
export const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
).version;
