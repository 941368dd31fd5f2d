import { Anchor, Code, List, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Asked } from '../parts/asked.tsx';
import { RecordLink } from '../parts/record-link.tsx';
import { texts } from '../texts/texts.ts';
import type { RecordLinks } from './links.ts';
import classes from './reading.module.css';
import { idOf, type RecordDocument, type RecordList } from './record-lists.ts';

const words = texts.reading.links;
const lists = ['projects', 'datasets', 'cohorts', 'contracts', 'partners'] as const;

interface LinkedRecordsProps {
  readonly query: UseQueryResult<RecordLinks>;
  readonly list: RecordList;
  readonly of: RecordDocument;
}

/** The records that are linked with a record, by kind. */
export function LinkedRecords({ query, list, of }: LinkedRecordsProps): ReactNode {
  return (
    <Asked query={query}>
      {(links) => {
        const shown = lists.filter((other) => links[other].total > 0);
        if (shown.length === 0) return <Text c="dimmed">{words.none}</Text>;
        return (
          <div className={classes['members']}>
            {shown.map((other) => (
              <Kind
                key={other}
                list={other}
                linked={links[other]}
                project={list === 'projects' ? idOf(of) : undefined}
              />
            ))}
          </div>
        );
      }}
    </Asked>
  );
}

interface KindProps {
  readonly list: RecordList;
  readonly linked: RecordLinks['datasets'];
  /** The id of the project whose records the list can be narrowed to. */
  readonly project: string | undefined;
}

function Kind({ list, linked: { items, total }, project }: KindProps): ReactNode {
  const isMore = total > items.length;
  const mayNarrow = project !== undefined && (list === 'datasets' || list === 'contracts');
  return (
    <div>
      <Title order={3} size="h6" pb={4}>
        {texts.navigation[list]} ({total.toLocaleString('en')})
      </Title>
      <List listStyleType="none" spacing={4}>
        {items.map(({ id, name, acronym, external_id: accession }) => (
          <List.Item key={id}>
            <RecordLink list={list} id={id}>
              {name || acronym || texts.catalog.nobodyNamed}
            </RecordLink>{' '}
            {accession !== null && <Code>{accession}</Code>}
          </List.Item>
        ))}
      </List>
      {isMore && !mayNarrow && <Text c="dimmed">{words.more(total - items.length)}</Text>}
      {isMore && mayNarrow && (
        <Anchor renderRoot={(props) => <Link to={`/${list}`} search={{ project }} {...props} />}>
          {words.all(total)}
        </Anchor>
      )}
    </div>
  );
}
