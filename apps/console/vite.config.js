import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Addresses are relative to the page's `<base>`, so that one build serves below every prefix. */
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0, // the page's policy allows nothing that stands in the page itself
    modulePreload: { polyfill: false },
  },
});
