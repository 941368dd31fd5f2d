import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

/** A button that switches between light and dark colours. The browser stores the choice. */
export function ColorSchemeButton(): ReactNode {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={isDark ? texts.scheme.toLight : texts.scheme.toDark}
      onClick={() => {
        setColorScheme(isDark ? 'light' : 'dark');
      }}
    >
      <span aria-hidden>{isDark ? '☀' : '☾'}</span>
    </ActionIcon>
  );
}
