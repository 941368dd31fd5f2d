import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { Figure } from './figure.tsx';
import type { Counts } from './record-numbers.tsx';

const words = texts.overview;
const categories = ['disease', 'phenotype', 'study', 'gene'] as const;

/** The number of terms in each vocabulary. */
export function TermNumbers({ terms }: Pick<Counts, 'terms'>): ReactNode {
  const isEmpty = categories.every((category) => terms[category] === 0);
  return (
    <Section title={words.terms}>
      {isEmpty ? (
        <Text>{words.noTerms}</Text>
      ) : (
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          {categories.map((category) => (
            <Figure key={category} label={words.categories[category]} value={terms[category].toLocaleString('en')} />
          ))}
        </SimpleGrid>
      )}
    </Section>
  );
}
