import { Progress, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../../api/generated/catalog-api.ts';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { Figure, FigureLink } from './figure.tsx';

/** The catalog's numbers. */
export type Counts = components['schemas']['OverviewResponse'];

const words = texts.overview;
const lists = ['projects', 'datasets', 'partners', 'cohorts'] as const;

/** The number of records of each kind, and the number of published records. */
export function RecordNumbers({ counts }: { readonly counts: Counts }): ReactNode {
  return (
    <Section title={words.catalog}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 5 }}>
        {lists.map((list) => (
          <Figure
            key={list}
            label={texts.navigation[list]}
            value={counts[list].total.toLocaleString('en')}
            target={{ to: `/${list}` }}
          >
            <Published list={list} counts={counts[list]} />
          </Figure>
        ))}
        <Figure
          label={texts.navigation.contracts}
          value={counts.contracts.toLocaleString('en')}
          target={{ to: '/contracts' }}
        />
      </SimpleGrid>
    </Section>
  );
}

interface PublishedProps {
  readonly list: (typeof lists)[number];
  readonly counts: Counts['datasets'];
}

function Published({ list, counts: { total, published } }: PublishedProps): ReactNode {
  if (total === 0) return null;
  const label = words.published(published, total);
  return (
    <>
      <Progress value={(published / total) * 100} aria-label={label} />
      <Text size="xs">{label}</Text>
      {published < total && (
        <FigureLink target={{ to: `/${list}`, search: { published: 'false' } }}>
          {words.unpublished(total - published)}
        </FigureLink>
      )}
    </>
  );
}
