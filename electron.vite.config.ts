import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { entries, pdfAssets, targets, version, withoutElk } from './build.targets.ts'

/**
 * electron-vite declares `require` at the top of every chunk that seems to use it. A bundled package that declares its own
 * (fflate) makes that a syntax error, and none of our code needs it: the loopback host's bundles omit it.
 */
const withoutRequire: Plugin = {
  name: 'lectern-without-require',
  configResolved({ plugins }) {
    const shim = plugins.findIndex(({ name }) => name === 'vite:esm-shim')
    if (shim < 0) throw new Error('electron-vite has no plugin vite:esm-shim any more')
    ;(plugins as Plugin[]).splice(shim, 1)
  },
}

/**
 * Everything that is loaded before the app is mounted is one chunk. Divided by which views share it, it would be sixty, and each
 * costs a request. boot.ts, which runs before the first frame, imports neither: Vite's helper for imports has its own chunk.
 */
const groups = [
  { name: 'preload-helper', test: 'vite/preload-helper', priority: 1 },
  {
    name: 'initial',
    tags: ['$initial' as const],
    test: (id: string): boolean => !/\/(boot\.ts|index\.html)$/.test(id),
  },
]

export default defineConfig({
  main: {
    plugins: [withoutRequire],
    define: { __LECTERN_VERSION__: JSON.stringify(version) },
    build: {
      target: targets.node,
      outDir: 'out/main',
      rolldownOptions: {
        input: entries('src/main/index.ts'),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    build: {
      target: targets.node,
      outDir: 'out/preload',
      // A sandboxed preload can only require `electron`, so everything is bundled into one CommonJS file.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve('src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [vue(), pdfAssets, withoutElk],
    define: {
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      __VUE_I18N_FULL_INSTALL__: 'false',
      __VUE_I18N_LEGACY_API__: 'false',
      __INTLIFY_PROD_DEVTOOLS__: 'false',
      // No `new Function` for messages: the content security policy forbids eval.
      __INTLIFY_JIT_COMPILATION__: 'true',
    },
    build: {
      target: targets.chrome,
      outDir: 'out/renderer',
      // electron-vite leaves this off by default.
      minify: true,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          index: resolve('src/renderer/index.html'),
          main: resolve('src/renderer/src/main.ts'),
        },
        output: { codeSplitting: { groups } },
        // A view loads what it uses of another domain, not everything that the domain exports.
        treeshake: {
          moduleSideEffects: (id: string) => !/\/domains\/[^/]+\/index\.ts$/.test(id),
        },
      },
    },
  },
})
