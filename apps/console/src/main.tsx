import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './shell/text.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries.ts';
import { router } from './routes.tsx';
import { readableColors, theme } from './theme.ts';

/** The nonce that the page's policy requires for the styles of components. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

setNonce(nonce);
const place = document.getElementById('root');
if (!place) throw new Error('The page has no place for the console.');
createRoot(place).render(
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
    cssVariablesResolver={readableColors}
  >
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Notifications />
    </QueryClientProvider>
  </MantineProvider>,
);
