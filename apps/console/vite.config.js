import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The origin of a running system, to which the development server forwards all requests except the console's own. */
const catalogOrigin = process.env['CATALOG_ORIGIN'] ?? 'http://localhost:8080';

/** Addresses in the build are relative to the page's `<base>`, so that one build works with every prefix. */
export default defineConfig(({ command }) => ({
  base: command === 'serve' ? '/console/' : './',
  plugins: [react()],
  server: {
    proxy: {
      '^/(?!console(/|$))': {
        target: catalogOrigin,
        // The services accept writes of a session from their own origin only.
        headers: { origin: catalogOrigin },
        changeOrigin: true,
      },
    },
  },
  build: {
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0, // the page's policy allows nothing that stands in the page itself
    modulePreload: { polyfill: false },
    // One file per page, and one file for all that pages share: on a slow connection, many small files take longer than few
    // larger ones. A library that only one page uses stays in the file of that page.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } } },
  },
}));
