import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { texts } from '../../texts/texts.ts';
import classes from './search-button.module.css';

const words = texts.finding.search;

/** The dialog is loaded when it opens for the first time. */
const SearchDialog = lazy(() => import('./search-dialog.tsx'));

/** A button that opens the search. Ctrl-K opens the search from everywhere, and `/` from outside of inputs. */
export function SearchButton(): ReactNode {
  const [openings, setOpenings] = useState(0);
  const open = (): void => {
    setOpenings((before) => before + 1);
  };
  useHotkeys([['mod + K', open]], []);
  useHotkeys([
    ['/', open],
    ['shift + /', open],
  ]);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        onClick={open}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {words.shortcut}
          </Kbd>
        }
      >
        {words.open}
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" aria-label={words.open} onClick={open}>
        <span aria-hidden className={classes['lens']} />
      </ActionIcon>
      {openings > 0 && (
        <Suspense>
          <SearchDialog openings={openings} />
        </Suspense>
      )}
    </>
  );
}
