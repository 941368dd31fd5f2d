import { Box, NavLink, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useId } from 'react';
import { texts } from '../texts/texts.ts';
import classes from './folding.module.css';

/** A section of a page. */
export interface FoldingSection {
  /** The name of the section in its address. */
  readonly name: string;
  readonly title: string;
  /** Whether the section is closed at first. Its content is rendered when it is opened. */
  readonly isClosed?: boolean;
  readonly content: ReactNode;
}

/** Sections that can be closed, next to a table of contents. */
export function FoldingSections({ sections }: { readonly sections: readonly FoldingSection[] }): ReactNode {
  return (
    <div className={classes['columns']}>
      <Stack gap="md" miw={0}>
        {sections.map((section) => (
          <Folding key={section.name} {...section} />
        ))}
      </Stack>
      <Box component="nav" className={classes['contents']} aria-label={texts.reading.contents}>
        <Text size="sm" fw={600} pb="xs" aria-hidden>
          {texts.reading.contents}
        </Text>
        {sections.map(({ name, title }) => (
          <NavLink
            key={name}
            href={`#${name}`}
            label={title}
            py={4}
            onClick={(event) => {
              goTo(event, name);
            }}
          />
        ))}
      </Box>
    </div>
  );
}

/** Opens a section and moves the focus to its heading. The browser would resolve the link against `<base>`. */
function goTo(event: { preventDefault(): void }, name: string): void {
  event.preventDefault();
  const button = document.querySelector<HTMLButtonElement>(`#${CSS.escape(name)} h2 button`);
  if (button?.getAttribute('aria-expanded') === 'false') button.click();
  button?.focus({ preventScroll: true });
  document.getElementById(name)?.scrollIntoView({ block: 'start' });
}

function Folding({ name, title, isClosed = false, content }: FoldingSection): ReactNode {
  const [isOpen, { toggle }] = useDisclosure(!isClosed);
  const id = useId();
  return (
    <Paper component="section" id={name} withBorder radius="md" className={classes['section']} aria-labelledby={id}>
      <Title order={2} size="h4">
        <button type="button" id={id} className={classes['head']} aria-expanded={isOpen} onClick={toggle}>
          <span className={classes['mark']} aria-hidden />
          {title}
        </button>
      </Title>
      {isOpen && <div className={classes['body']}>{content}</div>}
    </Paper>
  );
}
