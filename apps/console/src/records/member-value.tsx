import { Anchor, Badge, Group, List, Paper, Stack, Table, Text } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { RecordLink } from '../parts/record-link.tsx';
import { texts } from '../texts/texts.ts';
import { countryName } from './countries.ts';
import { labelOf, wordOf } from './labels.ts';
import { hiddenMembers, widthOf } from './layouts.ts';
import { linkedId, Links } from './links.ts';
import { jsonObjectOf } from './metadata.ts';
import type { RecordList } from './record-lists.ts';
import classes from './reading.module.css';
import { type FormValues, isObjectList, type MemberSchema } from './schema.ts';

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The lists of the records that members name. */
const namedLists: Readonly<Record<string, RecordList>> = {
  project: 'projects',
  project_id: 'projects',
  partner: 'partners',
  institutes: 'partners',
  affiliations: 'partners',
  cohorts: 'cohorts',
  cohort: 'cohorts',
  partners: 'partners',
};

interface MembersProps {
  readonly schema: MemberSchema;
  readonly values: FormValues;
  /** The shown members, in their order. All members by default. */
  readonly members?: readonly string[];
}

/** The members of an object that have a value, each with its label. */
export function Members({ schema, values, members = Object.keys(schema.properties ?? {}) }: MembersProps): ReactNode {
  const shown = members.filter((name) => !hiddenMembers.includes(name) && hasValue(values[name]));
  const [only] = members;
  if (members.length === 1 && only !== undefined && isObjectList(schema.properties?.[only] ?? {})) {
    return <Value name={only} schema={schema.properties?.[only] ?? {}} value={values[only]} />;
  }
  if (shown.length === 0) return <Text c="dimmed">{texts.reading.people.none}</Text>;
  return (
    <dl className={classes['members']}>
      {shown.map((name) => {
        const member = schema.properties?.[name] ?? {};
        const isWhole = widthOf(name, member) === 'whole' && !isShort(values[name]);
        return (
          <div key={name} className={isWhole ? classes['whole'] : undefined}>
            <dt>{labelOf(name)}</dt>
            <dd>
              <Value name={name} schema={member} value={values[name]} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Whether a page shows a member. False counts as a value, an empty list does not. */
export function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== undefined && value !== '' && value !== '{}';
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 60;
}

interface ValueProps {
  readonly name: string;
  readonly schema: MemberSchema;
  readonly value: unknown;
}

function Value({ name, schema, value }: ValueProps): ReactNode {
  const list = namedLists[name];
  if (name === 'metadata') return <Metadata text={value} />;
  if (Array.isArray(value)) return <Values name={name} schema={schema} values={value} />;
  if (list !== undefined) return <Named list={list} name={String(value)} />;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  const text = String(value);
  if (name === 'country_code') return countryName(text);
  if (schema.format === 'date') return <time dateTime={text}>{dates.format(new Date(text))}</time>;
  if (schema.enum) return wordOf(text);
  if (name === 'email') return <Anchor href={`mailto:${text}`}>{text}</Anchor>;
  if (/^https?:\/\/\S+$/.test(text)) return <Outside href={text}>{text}</Outside>;
  if (name === 'doi') return <Outside href={`https://doi.org/${text}`}>{text}</Outside>;
  return <span className={classes['text']}>{text}</span>;
}

function Outside({ href, children }: { readonly href: string; readonly children: string }): ReactNode {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer">
      {children}
    </Anchor>
  );
}

/** The name of a record, which is a link if the user may read the record. */
function Named({ list, name }: { readonly list: RecordList; readonly name: string }): ReactNode {
  const links = useContext(Links);
  const id = linkedId(links, list, name);
  if (id === undefined) return name;
  const shown = links?.[list].items.find((row) => row.id === id)?.name;
  return (
    <RecordLink list={list} id={id}>
      {/^\d+$/.test(name) ? shown : name}
    </RecordLink>
  );
}

function Values({
  name,
  schema,
  values,
}: {
  name: string;
  schema: MemberSchema;
  values: readonly unknown[];
}): ReactNode {
  const { items } = schema;
  const list = namedLists[name];
  const named = values.map((value) => nameIn(value)).filter((text) => text !== undefined);
  if (list !== undefined && named.length === values.length && (!items?.properties || isNaming(items))) {
    return (
      <List listStyleType="none">
        {named.map((text) => (
          <List.Item key={text}>
            <Named list={list} name={text} />
          </List.Item>
        ))}
      </List>
    );
  }
  if (items?.properties) {
    return (
      <Stack gap="sm">
        {values.map((value, index) => (
          <Entry key={index} schema={items} values={value as FormValues} />
        ))}
      </Stack>
    );
  }
  return <Words values={values} />;
}

/** The values of a list of words. */
function Words({ values }: { readonly values: readonly unknown[] }): ReactNode {
  return (
    <Group gap={6}>
      {values.map((value) => (
        <Badge key={String(value)} variant="default" tt="none" fw={500} className={classes['badge']}>
          {wordOf(String(value))}
        </Badge>
      ))}
    </Group>
  );
}

/** Whether objects only name records, i.e. have a name and a second member. */
function isNaming({ properties = {} }: MemberSchema): boolean {
  return Object.keys(properties).length <= 2;
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return String(value);
  const { cohort, name } = value as FormValues;
  return [cohort, name].find((text) => typeof text === 'string');
}

/** An object of a list, with a heading. */
function Entry({ schema, values }: { readonly schema: MemberSchema; readonly values: FormValues }): ReactNode {
  const { heading, used } = headingOf(values);
  const members = Object.keys(schema.properties ?? {}).filter((name) => !used.includes(name));
  const list = used[0] === 'partner' ? 'partners' : undefined;
  return (
    <Paper withBorder p="sm" radius="md">
      {heading !== '' && (
        <Text fw={600} pb={4} component="h3" size="sm">
          {list ? <Named list={list} name={heading} /> : heading}
        </Text>
      )}
      {members.some((name) => !hiddenMembers.includes(name) && hasValue(values[name])) && (
        <Members schema={schema} values={values} members={members} />
      )}
    </Paper>
  );
}

/** Returns the heading of an object, and the members that the heading contains. */
function headingOf(values: FormValues): { readonly heading: string; readonly used: readonly string[] } {
  const { first_name: first, last_name: last, use_class: code, use_class_label: label } = values;
  const textOf = (...parts: readonly unknown[]): string =>
    parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  if (textOf(first, last) !== '') return { heading: textOf(first, last), used: ['first_name', 'last_name', 'pk'] };
  if (typeof code === 'string') {
    return { heading: `${code}: ${textOf(label) || wordOf(code)}`, used: ['use_class', 'use_class_label'] };
  }
  const name = ['title', 'partner', 'platform', 'citation'].find((each) => textOf(values[each]) !== '');
  return name === undefined ? { heading: '', used: [] } : { heading: textOf(values[name]), used: [name] };
}

/** Metadata as a table of names and values. */
function Metadata({ text }: { readonly text: unknown }): ReactNode {
  const values = jsonObjectOf(text);
  if (!values) return <span className={classes['text']}>{String(text)}</span>;
  return (
    <Table variant="vertical" withTableBorder aria-label={labelOf('metadata')} className={classes['metadata']}>
      <Table.Tbody>
        {Object.entries(values).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>
              {typeof value === 'object' && value !== null ? (
                <pre className={classes['json']}>{JSON.stringify(value, null, 2)}</pre>
              ) : (
                String(value)
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
