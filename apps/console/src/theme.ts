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

/** The appearance of the console, and the labels of buttons that show only an icon. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: 8,
  respectReducedMotion: true,
  components: {
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps } }),
    // The page already has its one banner.
    ModalHeader: Modal.Header.extend({ defaultProps: { role: 'presentation' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps } }),
    Select: Select.extend({ defaultProps: { clearButtonProps } }),
    MultiSelect: MultiSelect.extend({ defaultProps: { clearButtonProps } }),
    TagsInput: TagsInput.extend({ defaultProps: { clearButtonProps } }),
  },
});

/** Returns darker colours for dimmed text and errors, because Mantine's own have too little contrast. */
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
