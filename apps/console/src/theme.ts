import {
  Anchor,
  type ConvertCSSVariablesInput,
  createTheme,
  Modal,
  MultiSelect,
  Notification,
  Select,
  TagsInput,
} from '@mantine/core';
import { texts } from './texts/texts.ts';

const closeButtonProps = { 'aria-label': texts.dialog.close };
const clearButtonProps = { 'aria-label': texts.list.clear };

/** How the console looks; buttons that are only a sign are named here, once for all. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 8,
  respectReducedMotion: true,
  components: {
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps } }),
    // The page has its one banner already.
    ModalHeader: Modal.Header.extend({ defaultProps: { role: 'presentation' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps } }),
    Select: Select.extend({ defaultProps: { clearButtonProps } }),
    MultiSelect: MultiSelect.extend({ defaultProps: { clearButtonProps } }),
    TagsInput: TagsInput.extend({ defaultProps: { clearButtonProps } }),
  },
});

/** Lesser text and what is wrong at a field are still to be read: Mantine's own grey and red are too pale. */
export const readableColors = (): ConvertCSSVariablesInput => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
