import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import { sizeText } from '../imports/quantities.ts';
import classes from './day-plot.module.css';
import type { ImportDay } from './import-days.ts';

const words = texts.overview;
const form = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** In units of the drawing, which is stretched to the available width. */
const height = 60;
const barWidth = 8;
const step = 10;
/** A day with a very small import still has a visible bar. */
const leastHeight = 2;

interface DaysProps {
  readonly days: readonly ImportDay[];
}

/** A bar chart of the imported bytes per day, with a text alternative. */
export function DayPlot({ days }: DaysProps): ReactNode {
  return (
    <>
      <Bars days={days} />
      <Group justify="space-between" aria-hidden>
        {[days[0], days.at(-1)].map((day, index) => (
          <Text key={index} size="xs">
            {day && form.format(day.at)}
          </Text>
        ))}
      </Group>
    </>
  );
}

function Bars({ days }: DaysProps): ReactNode {
  const most = Math.max(1, ...days.map(({ bytes }) => bytes));
  const busy = days.filter(({ datasets }) => datasets > 0);
  return (
    <svg
      className={classes['plot']}
      viewBox={`0 0 ${String(days.length * step)} ${String(height)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words.perDay(busy.map(sentenceOf).join('; '))}
    >
      {days.map((day, index) => {
        const bar = day.datasets === 0 ? 0 : Math.max(leastHeight, (day.bytes / most) * height);
        return (
          <g key={day.at.getTime()}>
            <title>{sentenceOf(day)}</title>
            <rect className={classes['ground']} x={index * step} y={0} width={barWidth} height={height} />
            <rect className={classes['bar']} x={index * step} y={height - bar} width={barWidth} height={bar} />
          </g>
        );
      })}
    </svg>
  );
}

function sentenceOf({ at, datasets, bytes }: ImportDay): string {
  return words.day(form.format(at), datasets, sizeText(bytes));
}
