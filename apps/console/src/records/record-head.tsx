import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import { wordOf } from './labels.ts';
import type { RecordLinks } from './links.ts';
import classes from './reading.module.css';
import type { RecordDocument, RecordList } from './record-lists.ts';

const words = texts.reading;

interface RecordHeadProps {
  readonly list: RecordList;
  readonly record: RecordDocument;
  readonly links: RecordLinks | undefined;
  readonly badges: ReactNode;
}

/** The kind, the accession, the badges and the description of a record. */
export function RecordHead({ list, record, links, badges }: RecordHeadProps): ReactNode {
  const { external_id: accession, description } = record;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Text c="dimmed" size="sm">
          {texts.catalog.kinds[list].one}
        </Text>
        {typeof accession === 'string' && <Code fz="sm">{accession}</Code>}
        <PublicationBadge list={list} record={record} links={links} />
        <AccessBadges record={record} />
        {badges}
      </Group>
      {typeof description === 'string' && description !== '' && <Text className={classes['lead']}>{description}</Text>}
    </Stack>
  );
}

/** A badge with text, whose colour only repeats the text. */
export function HeadBadge({ color, children }: { readonly color: string; readonly children: ReactNode }): ReactNode {
  return (
    <Badge variant="dot" color={color} tt="none" fw={500} miw="max-content">
      {children}
    </Badge>
  );
}

function PublicationBadge({ list, record, links }: Omit<RecordHeadProps, 'badges'>): ReactNode {
  const { published } = record;
  if (typeof published === 'boolean') {
    return (
      <HeadBadge color={published ? 'teal' : 'gray'}>
        {published ? words.badges.published : words.badges.notPublished}
      </HeadBadge>
    );
  }
  if (list !== 'projects' || !links || links.datasets.total === 0) return null;
  const { items, total } = links.datasets;
  if (items.length < total) return null;
  const count = items.filter((row) => row.published).length;
  return <HeadBadge color={count > 0 ? 'teal' : 'gray'}>{words.badges.datasetsPublished(count, total)}</HeadBadge>;
}

/** The access categories of the declarations of a dataset. */
function AccessBadges({ record }: Pick<RecordHeadProps, 'record'>): ReactNode {
  const { data_declarations: declarations } = record;
  if (!Array.isArray(declarations)) return null;
  const categories = declarations.map(({ access_category: category }: { access_category?: string | null }) => category);
  return [...new Set(categories)].map(
    (category) =>
      category && (
        <HeadBadge key={category} color={category === 'open_access' ? 'blue' : 'grape'}>
          {wordOf(category)}
        </HeadBadge>
      ),
  );
}
