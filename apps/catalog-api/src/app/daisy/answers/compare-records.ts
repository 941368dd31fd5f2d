import { rawOf, type Raw } from '../raw-values.js';
import type { Difference, Findings } from './difference.js';
import { valueRuleFor } from './value-rules.js';

/** The members whose elements are people. DAISY sorts people by their first names, the catalog by their last names. */
const people = ['contacts', 'local_custodians'];

/** Compares every value of a record in both systems. */
export function compareRecords(record: string, daisy: Raw, catalog: Raw, findings: Findings): void {
  compareMembers({ record, path: '', daisy, catalog }, findings);
}

function compareValues(pair: Difference, findings: Findings): void {
  const { daisy, catalog } = pair;
  if (isObject(daisy) && isObject(catalog)) compareMembers(pair, findings);
  else if (Array.isArray(daisy) && Array.isArray(catalog)) compareElements(pair, daisy, catalog, findings);
  else {
    findings.value(daisy === catalog);
    if (daisy !== catalog) explain(pair, valueRuleFor(pair), findings);
  }
}

function compareMembers({ record, path, daisy, catalog }: Difference, findings: Findings): void {
  const [given, stored] = [rawOf(daisy), rawOf(catalog)];
  for (const name of new Set([...Object.keys(given), ...Object.keys(stored)])) {
    const member = { record, path: path === '' ? name : `${path}.${name}`, daisy: given[name], catalog: stored[name] };
    if (name in given && name in stored) compareValues(member, findings);
    else explain(member, name in stored ? `member ${name} only in the catalog` : undefined, findings);
  }
}

/** Compares lists element by element. People, and texts and numbers, are sorted before. */
function compareElements(
  { record, path, daisy, catalog }: Difference,
  given: readonly unknown[],
  stored: readonly unknown[],
  findings: Findings,
): void {
  const [one, other] = [sorted(path, given), sorted(path, stored)];
  if (one.length !== other.length) {
    findings.unexplained({ record, path, daisy, catalog });
    return;
  }
  const isInOrder = given.every((element, index) => keyOf(path, element) === keyOf(path, stored[index]));
  if (!isInOrder && one.every((element, index) => keyOf(path, element) === keyOf(path, other[index]))) {
    findings.explained(`order of ${path.slice(path.lastIndexOf('.') + 1)}`, { record, path, daisy, catalog });
  }
  one.forEach((element, index) => {
    compareValues({ record, path, daisy: element, catalog: other[index] }, findings);
  });
}

function sorted(path: string, elements: readonly unknown[]): readonly unknown[] {
  return elements
    .map((element) => ({ element, key: keyOf(path, element) }))
    .toSorted((one, other) => (one.key === other.key ? 0 : one.key < other.key ? -1 : 1))
    .map(({ element }) => element);
}

/** Returns the text by which an element is sorted. Objects other than people stay in their order. */
function keyOf(path: string, element: unknown): string {
  if (!isObject(element)) return String(element);
  if (!people.includes(path.slice(path.lastIndexOf('.') + 1))) return '';
  const { last_name, first_name } = rawOf(element);
  return JSON.stringify([last_name, first_name]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function explain(difference: Difference, rule: string | undefined, findings: Findings): void {
  if (rule === undefined) findings.unexplained(difference);
  else findings.explained(rule, difference);
}
