import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

/** How the pages of a list are turned; undefined where there is no such page. */
export interface PagerButtonsProps {
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** Two buttons that turn the pages of a list. */
export function PagerButtons({ onPrevious, onNext }: PagerButtonsProps): ReactNode {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" disabled={!onPrevious} onClick={onPrevious}>
        {texts.list.previous}
      </Button>
      <Button variant="default" disabled={!onNext} onClick={onNext}>
        {texts.list.next}
      </Button>
    </Group>
  );
}
