import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What Electron 45 carries. Stated here because electron-vite's own table ends one version earlier. */
export const targets = { node: 'node24.18', chrome: 'chrome152' } as const

/** The programs that run in worker threads, each bundled to `workers/<name>.js` beside the host's entry. */
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

/** Entry table of a host's build: the host itself and every worker that exists. */
export function entries(host: string): Record<string, string> {
  const input: Record<string, string> = { index: resolve(host) }
  for (const [name, source] of Object.entries(workerSources)) {
    if (existsSync(source)) input[`workers/${name}`] = resolve(source)
  }
  return input
}

/** Packages that stay outside the bundles: they bring native code or wasm files. */
export const external: readonly string[] = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> })
    .dependencies,
)

/** Version baked into both hosts. */
export const version: string = (
  JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
).version

/**
 * What pdf.js reads while it draws a page: character maps, fonts that a file may leave out, and decoders of pictures and colours,
 * also as plain programs for where WebAssembly is not to be had. Never QuickJS: scripts of files do not run. Each as the name it
 * is served under and its file.
 */
function pdfFiles(): readonly { readonly name: string; readonly file: string }[] {
  const home = 'node_modules/pdfjs-dist'
  return ['cmaps', 'standard_fonts', 'wasm'].flatMap((folder) =>
    readdirSync(join(home, folder))
      .filter((file) => !/quickjs/i.test(file))
      .map((file) => ({
        // Licences go along as what they are, text.
        name: `pdfjs/${folder}/${file}${file.startsWith('LICENSE') ? '.txt' : ''}`,
        file: join(home, folder, file),
      })),
  )
}

/** Lays pdf.js's own files beside the page, under names that pdf.js knows. */
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

/** Leaves one layout of diagrams out, elk: its licence (EPL) is none that Lectern ships under. A diagram that asks for it is shown as its source. */
export const withoutElk = {
  name: 'lectern-without-elk',
  enforce: 'pre' as const,
  resolveId: (id: string): string | null => (id === elk ? `\0${elk}` : null),
  load: (id: string): string | null =>
    id === `\0${elk}`
      ? 'export default class { constructor() { throw new Error("The elk layout is not part of Lectern") } }'
      : null,
}
