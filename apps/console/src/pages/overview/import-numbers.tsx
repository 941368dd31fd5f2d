import { Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { bodyOf, provisioner } from '../../api/client.ts';
import type { components } from '../../api/generated/provisioner.ts';
import { Asked } from '../../parts/asked.tsx';
import { Section } from '../../parts/section.tsx';
import { texts } from '../../texts/texts.ts';
import { sizeText } from '../imports/quantities.ts';
import { DayPlot } from './day-plot.tsx';
import { Figure, FigureLink } from './figure.tsx';
import { daysOf } from './import-days.ts';

const words = texts.overview;
/** The number of imports that one request reads. */
const limit = 500;

/** The imports of the last days, as a chart and in numbers. */
export function ImportNumbers(): ReactNode {
  const query = useQuery({
    queryKey: ['imports', 'list', 'overview'],
    queryFn: ({ signal }) => bodyOf(provisioner.GET('/imports', { params: { query: { limit } }, signal })),
  });
  return (
    <Section title={words.imports}>
      <Asked query={query}>{({ items }) => <Lately runs={items} />}</Asked>
    </Section>
  );
}

function Lately({ runs }: { readonly runs: readonly components['schemas']['ImportResponse'][] }): ReactNode {
  const days = daysOf(runs, runs.length < limit);
  const datasets = days.reduce((total, day) => total + day.datasets, 0);
  const bytes = days.reduce((total, day) => total + day.bytes, 0);
  const failed = runs.filter(({ state }) => state === 'failed').length;
  if (runs.length === 0) {
    return (
      <Stack gap={4} align="flex-start">
        <Text>{words.noImports}</Text>
        <FigureLink target={{ to: '/imports/datasets', search: { state: 'not_imported' } }}>
          {words.toImport}
        </FigureLink>
      </Stack>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Paper withBorder p="md">
        <DayPlot days={days} />
      </Paper>
      <SimpleGrid cols={{ base: 2, lg: 3 }}>
        <Figure
          label={words.importsOf(days.length)}
          value={datasets.toLocaleString('en')}
          target={{ to: '/imports/runs', search: { state: 'finished', kind: 'dataset' } }}
        />
        <Figure label={words.bytes} value={sizeText(bytes)} />
        <Figure
          label={words.failed}
          value={failed.toLocaleString('en')}
          target={{ to: '/imports/runs', search: { state: 'failed' } }}
        />
      </SimpleGrid>
    </SimpleGrid>
  );
}
