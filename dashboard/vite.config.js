// Builds into dist, which is committed and embedded in the server. Names carry a hash of the content, so that they may be
// kept for ever; nothing is inlined, so that the page runs under a policy without inline scripts and styles.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/',
  // Class names by content, not by path: the same bytes wherever the tree lies.
  plugins: [svelte({ compilerOptions: { css: 'external', cssHash: ({ hash, name, css }) => `s-${hash(name + css)}` } })],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    // `formicary serve` beside `npm run dev`.
    proxy: { '/v1': 'http://127.0.0.1:8765' },
  },
});
