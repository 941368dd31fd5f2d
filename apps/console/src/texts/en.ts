import { audit } from './en/audit.ts';
import { catalog } from './en/catalog.ts';
import { events } from './en/events.ts';
import { descriptions, entries, fields, words } from './en/fields.ts';
import { finding } from './en/finding.ts';
import { imports } from './en/imports.ts';
import { overview } from './en/overview.ts';
import { people } from './en/people.ts';
import { readiness } from './en/readiness.ts';
import { reading } from './en/reading.ts';
import { shell } from './en/shell.ts';

/** Every text of the console in English. A translation is another object of the same shape. */
export const english = {
  ...shell,
  audit,
  catalog,
  records: { fields, entries, words, descriptions },
  events,
  imports,
  finding,
  overview,
  people,
  readiness,
  reading,
};
