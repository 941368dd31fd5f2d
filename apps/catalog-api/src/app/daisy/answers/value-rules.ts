import { tryParseJson } from '../../../platform/json/json.js';
import { contactTypes } from '../../../records/contacts/contact.entity.js';
import { useConditionRules } from '../../../records/datasets/use-condition.entity.js';
import { countryCodeOf } from '../country-codes.js';
import type { Difference } from './difference.js';

/** A documented difference between the answers of both systems. */
interface ValueRule {
  readonly name: string;
  readonly explains: (daisy: unknown, catalog: unknown) => boolean;
  /** The members that the rule concerns, or undefined for every member. */
  readonly members?: readonly string[];
}

/** The rules for values, in the order of their evaluation. `docs/daisy-mapping.md` describes each of them. */
const valueRules: readonly ValueRule[] = [
  { name: 'empty text', explains: (daisy, catalog) => isEmpty(daisy) && isEmpty(catalog) },
  {
    name: 'role of a custodian',
    members: ['role'],
    explains: (daisy, catalog) => daisy === 'Researcher' && catalog === 'Principal_Investigator',
  },
  {
    name: 'unknown type of a contact',
    members: ['role', 'type'],
    explains: (daisy, catalog) => isUnknown(contactTypes, daisy) && catalog === 'Other',
  },
  {
    name: 'code of a country',
    members: ['country_code'],
    explains: (daisy, catalog) =>
      typeof catalog === 'string' &&
      (daisy === null || (typeof daisy === 'string' && countryCodeOf(daisy) === catalog)),
  },
  {
    name: 'contact without partners',
    members: ['partners'],
    explains: (daisy, catalog) => daisy === '' && Array.isArray(catalog) && catalog.length === 0,
  },
  {
    name: 'e-mail address of several users',
    members: ['email'],
    explains: (daisy, catalog) => typeof daisy === 'string' && catalog === null,
  },
  {
    name: 'location with one line per character',
    members: ['location'],
    explains: (daisy, catalog) => typeof daisy === 'string' && daisy.replaceAll('\n', '') === catalog,
  },
  {
    name: 'location on a platform that is not public',
    members: ['location', 'platform'],
    explains: (daisy, catalog) => typeof daisy === 'string' && catalog === null,
  },
  { name: 'metadata', members: ['metadata'], explains: isSameMetadata },
  {
    name: 'form of an instant',
    members: ['released_date', 'deprecation_date'],
    explains: isSameInstant,
  },
  {
    name: 'rule of a use condition',
    members: ['use_condition_rule'],
    explains: (daisy, catalog) => isUnknown(useConditionRules, daisy) && catalog === 'PROHIBITION',
  },
];

/** Returns the name of the rule that explains a difference of two values, or undefined. */
export function valueRuleFor({ path, daisy, catalog }: Difference): string | undefined {
  const member = path.slice(path.lastIndexOf('.') + 1);
  return valueRules.find(({ members, explains }) => (members?.includes(member) ?? true) && explains(daisy, catalog))
    ?.name;
}

/** Whether a text is not one of the words of the catalog. */
function isUnknown(words: readonly string[], text: unknown): boolean {
  return typeof text === 'string' && !words.includes(text);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '';
}

/** Whether metadata are equal as JSON, apart from the member `daisy`, in which the migration stores other values. */
function isSameMetadata(daisy: unknown, catalog: unknown): boolean {
  const given = parsed(daisy);
  const stored = parsed(catalog);
  if (typeof stored !== 'object' || stored === null) return false;
  const { daisy: added, ...rest } = stored as Record<string, unknown>;
  if (canonical(given) === canonical(stored) || canonical(given) === canonical(rest)) return true;
  return (
    typeof added === 'object' && canonical((added as { metadata?: unknown } | null)?.metadata) === canonical(given)
  );
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return {};
  return text.trim() === '' ? {} : (tryParseJson(text) ?? text);
}

/** Returns JSON with sorted members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

/** Whether two instants are equal. DAISY cuts an instant to seconds, and the catalog rounds it to milliseconds. */
function isSameInstant(daisy: unknown, catalog: unknown): boolean {
  const difference = Date.parse(String(catalog)) - Date.parse(String(daisy));
  return difference >= 0 && difference <= 1000;
}
