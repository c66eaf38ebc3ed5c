import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { UserConfig } from 'vite'

/** Runtime versions in Electron 45. Specified here because electron-vite's own table ends one version earlier. */
export const targets = { node: 'node24.18', chrome: 'chrome152' } as const

/** The programs that run in worker threads, each bundled to `workers/<name>.js` next to the host's entry. */
const workerSources: Readonly<Record<string, string>> = {
  search: 'src/main/workers/search.ts',
  vectors: 'src/main/workers/vectors.ts',
  'database-check': 'src/main/workers/database-check.ts',
  'pdf-pages': 'src/main/workers/pdf-pages.ts',
  recorder: 'src/main/workers/recorder.ts',
  audio: 'src/main/workers/audio.ts',
  samples: 'src/main/workers/samples.ts',
  'voice-activity': 'src/main/workers/voice-activity.ts',
  exports: 'src/main/workers/exports.ts',
  archive: 'src/main/workers/archive.ts',
  documents: 'src/main/workers/documents.ts',
  'own-process': 'src/main/workers/own-process.ts',
  'speech-output': 'src/main/workers/speech-output.ts',
  'local-service': 'src/local-service/workers/local-service.ts',
  speech: 'src/local-service/workers/speech.ts',
  text: 'src/local-service/workers/text.ts',
  pages: 'src/local-service/workers/pages.ts',
}

/** Entry table of a host's build: the host itself and every existing worker. */
export function entries(host: string): Record<string, string> {
  const input: Record<string, string> = { index: resolve(host) }
  for (const [name, source] of Object.entries(workerSources)) {
    if (existsSync(source)) input[`workers/${name}`] = resolve(source)
  }
  return input
}

/** Packages left out of the bundles because they contain native code or wasm files. */
const external: readonly string[] = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> })
    .dependencies,
)

/** Version compiled into both hosts. */
export const version: string = (
  JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
).version

/** Build of programs for Node that electron-vite doesn't build. */
export const nodeBuild = (input: Readonly<Record<string, string>>, outDir: string): UserConfig => ({
  define: { __LECTERN_VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true, external: [...external] },
  build: {
    ssr: true,
    target: targets.node,
    outDir,
    rolldownOptions: {
      input: { ...input },
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
      },
    },
  },
})

/**
 * Files that pdf.js reads while it draws a page: character maps, fonts that a file may omit, and decoders of images and colors,
 * also as plain JavaScript where WebAssembly is unavailable. Never QuickJS: scripts in files do not run. Each entry has the
 * name it is served under and its file.
 */
function pdfFiles(): readonly { readonly name: string; readonly file: string }[] {
  const home = 'node_modules/pdfjs-dist'
  return ['cmaps', 'standard_fonts', 'wasm'].flatMap((folder) =>
    readdirSync(join(home, folder))
      .filter((file) => !/quickjs/i.test(file))
      .map((file) => ({
        // Licenses are included as text.
        name: `pdfjs/${folder}/${file}${file.startsWith('LICENSE') ? '.txt' : ''}`,
        file: join(home, folder, file),
      })),
  )
}

/** Copies pdf.js's own files next to the page, under the names that pdf.js expects. */
export const pdfAssets = {
  name: 'lectern-pdf-assets',
  generateBundle(this: {
    emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): unknown
  }): void {
    for (const { name, file } of pdfFiles())
      this.emitFile({ type: 'asset', fileName: name, source: readFileSync(file) })
  },
}

const elk = 'elkjs/lib/elk.bundled.js'

/**
 * Excludes the diagram layout engine elk, whose license (EPL) Lectern cannot ship. A diagram that requires it is shown as source.
 */
export const withoutElk = {
  name: 'lectern-without-elk',
  enforce: 'pre' as const,
  resolveId: (id: string): string | null => (id === elk ? `\0${elk}` : null),
  load: (id: string): string | null =>
    id === `\0${elk}`
      ? 'export default class { constructor() { throw new Error("The elk layout is not part of Lectern") } }'
      : null,
}
