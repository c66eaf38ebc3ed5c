import { defineConfig } from 'vite'
import { entries, external, targets, version } from './build.targets.ts'

/** The loopback host, built separately so that none of it can reach the packaged app. */
export default defineConfig({
  define: { __LECTERN_VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true, external: [...external] },
  build: {
    ssr: true,
    target: targets.node,
    outDir: 'out/loopback',
    emptyOutDir: true,
    rolldownOptions: {
      input: entries('src/main/hosts/loopback/index.ts'),
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
      },
    },
  },
})
