import type { texts } from '../texts/texts.ts';
import type { RecordList } from './record-lists.ts';
import { type MemberSchema, writable } from './schema.ts';

/** A group of members on the page and in the form of a record. */
export interface MemberGroup {
  readonly name: keyof typeof texts.reading.groups;
  readonly members: readonly string[];
}

/** The groups of each kind of record, in their order. */
const groups: Readonly<Record<RecordList, readonly MemberGroup[]>> = {
  projects: [
    { name: 'about', members: ['name', 'acronym', 'external_id', 'start_date', 'end_date', 'description'] },
    {
      name: 'ethics',
      members: [
        ...['has_institutional_ethics_approval', 'has_national_ethics_approval'],
        ...['institutional_ethics_approval_notes', 'national_ethics_approval_notes'],
      ],
    },
    { name: 'people', members: ['contacts'] },
    { name: 'publications', members: ['publications'] },
    { name: 'identifiers', members: ['metadata'] },
  ],
  datasets: [
    { name: 'about', members: ['name', 'external_id', 'project', 'description'] },
    { name: 'declarations', members: ['data_declarations'] },
    { name: 'legal', members: ['legal_bases'] },
    { name: 'storage', members: ['storages', 'transfers'] },
    { name: 'people', members: ['contacts'] },
    { name: 'identifiers', members: ['other_external_id', 'uuid', 'elu_uuid', 'metadata'] },
  ],
  contracts: [
    { name: 'about', members: ['name', 'project_id', 'comments'] },
    { name: 'partners', members: ['partners'] },
    { name: 'people', members: ['local_custodians'] },
  ],
  partners: [
    { name: 'about', members: ['name', 'acronym', 'external_id', 'sector_category', 'is_clinical'] },
    { name: 'place', members: ['country_code', 'geo_category', 'address'] },
    { name: 'identifiers', members: ['metadata'] },
  ],
  cohorts: [
    { name: 'about', members: ['name', 'external_id', 'url', 'description'] },
    { name: 'institutes', members: ['institutes'] },
    { name: 'ethics', members: ['has_ethics_approval', 'ethics_approval_notes'] },
    { name: 'people', members: ['contacts'] },
    { name: 'identifiers', members: ['metadata'] },
  ],
};

/** Members that neither a page nor a form shows, because another member contains the same value. */
export const hiddenMembers: readonly string[] = ['project_external_id', 'cohort_external_id', 'elu_uuid'];

/** Members whose value is at most some ten characters long. */
const short: readonly string[] = ['acronym', 'external_id', 'country_code', 'category', 'use_class', 'role', 'type'];

/** Members of one line that may need the whole width. */
const long: readonly string[] = ['name', 'title', 'location', 'citation', 'cohorts', 'institutes', 'url'];

/** The width of a member: a third, a half or the whole of a line. */
export type MemberWidth = 'third' | 'half' | 'whole';

/** Returns the groups of a form. Writable members that no group names are the last group. */
export function formGroupsOf(list: RecordList, schema: MemberSchema): readonly MemberGroup[] {
  const shown = writable(schema)
    .map(([name]) => name)
    .filter((name) => !hiddenMembers.includes(name));
  const named = groups[list].map(({ name, members }) => ({
    name,
    members: members.filter((member) => shown.includes(member)),
  }));
  const others = shown.filter((member) => !groups[list].some(({ members }) => members.includes(member)));
  return [...named, { name: 'other' as const, members: others }].filter(({ members }) => members.length > 0);
}

/** Returns the groups of a page, without the members that the head of the page shows. */
export function pageGroupsOf(list: RecordList, schema: MemberSchema): readonly MemberGroup[] {
  const inHead = ['name', 'external_id', 'description'];
  const readOnly = groups[list].map(({ name, members }) => ({
    name,
    members: members.filter((member) => schema.properties?.[member] && !inHead.includes(member)),
  }));
  const others = formGroupsOf(list, schema).filter(({ name }) => name === 'other');
  return [...readOnly, ...others].filter(({ members }) => members.length > 0);
}

/** Returns the width of a member. */
export function widthOf(name: string, { format, maxLength = 0, items }: MemberSchema): MemberWidth {
  if (short.includes(name) || format === 'date') return 'third';
  if (long.includes(name) || maxLength > 2_000 || items?.properties || name === 'metadata') return 'whole';
  return 'half';
}
