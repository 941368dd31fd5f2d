import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

/** The actions that show the previous and the next page, if these pages exist. */
export interface PagerButtonsProps {
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

/** Buttons that show the previous and the next page of a list. */
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
