import type { Import } from './imports.ts'

/** Forbidden import direction. */
export interface Layer {
  /** Files whose imports are checked. */
  readonly of: RegExp
  /** Forbidden imports: a repository path, or a package. */
  readonly never: RegExp
  /** Files that are exempt, because they own the dependency. */
  readonly except?: RegExp
  /** Whether type imports are allowed: they are erased, and only describe the other side. */
  readonly typesAllowed?: boolean
  readonly because: string
}

const nodeBuiltIn =
  /^(node:|assert$|buffer$|child_process$|crypto$|events$|fs$|http$|https$|net$|os$|path$|process$|stream$|tls$|url$|util$|worker_threads$|zlib$)/

/** Layers of the architecture, as data: renderer -> shared <- main; hosts -> bridge -> services -> api, store, media, secrets. */
export const layers: readonly Layer[] = [
  {
    of: /^src\/shared\//,
    never: /^src\/(?!shared\/)/,
    because: 'shared is the ground that both sides stand on',
  },
  { of: /^src\/shared\//, never: nodeBuiltIn, because: 'shared also runs in the page' },
  {
    of: /^src\/shared\//,
    never: /^(?!src\/|zod$)[@a-z]/,
    because: 'shared needs zod and nothing else',
  },
  {
    of: /^src\/renderer\//,
    never: /^src\/(main|preload|local-service|system)\//,
    because: 'the page knows shared and itself',
  },
  { of: /^src\/renderer\//, never: nodeBuiltIn, because: 'the page has no Node' },
  {
    of: /^src\/renderer\//,
    never: /^zod$/,
    typesAllowed: true,
    because: 'requests are parsed in main: zod stays out of the page',
  },
  {
    of: /^src\/(main|preload|local-service)\//,
    never: /^src\/renderer\//,
    because: 'main pushes events and knows no page',
  },
  {
    of: /^src\/main\//,
    never: /^src\/(preload|local-service)\//,
    typesAllowed: true,
    because: 'the local service is another service that happens to be here',
  },
  {
    of: /^src\/local-service\//,
    never: /^src\/(main|preload|renderer)\//,
    because: 'the local service could stand on another machine',
  },
  {
    of: /^src\/system\//,
    never: /^(src\/(?!system\/)|electron$)/,
    because: 'main and the local service both stand on it',
  },
  {
    of: /^src\/preload\//,
    never: /^(?!electron$|src\/(shared|preload)\/)/,
    because: 'a sandboxed preload may load electron and nothing else',
  },
  {
    of: /^src\//,
    never: /^electron$/,
    except: /^src\/(main\/electron\/|main\/index\.ts$|preload\/)/,
    because: 'electron has one home',
  },
  {
    of: /^src\/(?!main\/loopback\/)/,
    never: /^src\/main\/loopback\//,
    because: 'the loopback host is left out of the packaged app',
  },
  {
    of: /^src\/(?!main\/(electron\/|index\.ts$))/,
    never: /^src\/main\/(electron\/|index\.ts$)/,
    because: 'only the Electron host knows Electron',
  },
  {
    of: /^src\/main\/(bridge|services|api|store|media|secrets|security|workers)\//,
    never: /^src\/main\/(app\.ts|host-support\/)/,
    because: 'only hosts call createApp and know where files lie',
  },
  {
    of: /^src\/main\/(services|api|store|media|secrets|security|workers)\//,
    never: /^src\/main\/bridge\//,
    typesAllowed: true,
    because: 'the bridge calls services, never the other way',
  },
  {
    of: /^src\/main\/(api|store|media|secrets|security|workers|exports)\//,
    never: /^src\/main\/services\//,
    because: 'services use api, store, media and secrets, never the other way',
  },
  {
    of: /^src\/main\/api\//,
    never: /^src\/main\/(store|media|secrets)\//,
    typesAllowed: true,
    because: 'the client of the service keeps nothing',
  },
  {
    of: /^src\/main\/(store|media|secrets)\//,
    never: /^src\/main\/api\//,
    typesAllowed: true,
    because: 'what is kept does not depend on where it came from',
  },
]

/** Packages with the only files that may import them. */
export const homes: Readonly<Record<string, RegExp>> = {
  undici: /^src\/main\/(api\/|security\/remote-fetch\.ts$)/,
  'electron-updater': /^src\/main\/updates\//,
  semver: /^src\/main\/updates\//,
  'eventsource-parser': /^src\/main\/api\//,
  // The single-instance lock is an SQLite lock; the local service has its own state.
  'better-sqlite3':
    /^src\/(main\/(store\/|workers\/|host-support\/instance\.ts$)|local-service\/state\.ts$)/,
  '@napi-rs/keyring': /^src\/main\/secrets\//,
  ws: /^src\/main\/loopback\//,
  '@msgpack/msgpack': /^src\/(main\/loopback|renderer\/src\/api)\//,
  'onnxruntime-web': /^src\/(local-service|main\/audio\/voice-activity)\//,
  '@napi-rs/canvas': /^src\/(local-service|main\/documents)\//,
  'pdfjs-dist':
    /^src\/(local-service\/engines\/pages\/|main\/(media\/pdf-pages\.ts$|documents\/)|renderer\/src\/features\/documents\/)/,
  '@cantoo/pdf-lib': /^src\/main\/documents\//,
  'libheif-js': /^src\/main\/documents\//,
  'markdown-it': /^src\/(renderer\/src\/markdown|main\/exports)\//,
  shiki: /^src\/renderer\/src\/markdown\//,
  mermaid: /^src\/renderer\/src\/markdown\//,
  dompurify: /^src\/renderer\/src\/markdown\//,
  katex: /^src\/(renderer\/src\/markdown|main\/exports)\//,
  htmlparser2: /^src\/main\/exports\//,
  'write-excel-file': /^src\/main\/exports\//,
  '@energetic-ai/core': /^src\/local-service\/engines\//,
  '@energetic-ai/embeddings': /^src\/local-service\/engines\//,
  'chart.js': /^src\/renderer\/src\/features\/activity\//,
  'llama-tokenizer-js': /^src\/local-service\//,
  '@fastify/busboy': /^src\/local-service\//,
  // The content of an archive is validated by schemas, like requests of a page.
  zod: /^src\/(shared\/bridge\/|main\/operations\/|main\/store\/archive-schemas\.ts$|main\/core\/page-port\.ts$|main\/secrets\/|main\/erasing\.ts$)/,
  vue: /^src\/renderer\//,
  pinia: /^src\/renderer\//,
  'naive-ui': /^src\/renderer\//,
  'vue-i18n': /^src\/renderer\//,
  'vue-router': /^src\/renderer\//,
  'wavesurfer.js': /^src\/renderer\//,
  'umap-js': /^src\/renderer\/src\/features\/embeddings\//,
}

/** Returns imports that violate the layers, one sentence each. */
export function crossings(imports: readonly Import[], rules: readonly Layer[] = layers): string[] {
  return imports.flatMap((edge) =>
    rules
      .filter(
        (rule) =>
          rule.of.test(edge.from) &&
          rule.never.test(edge.to) &&
          !rule.except?.test(edge.from) &&
          !(rule.typesAllowed && edge.typeOnly),
      )
      .map((rule) => `${edge.from}:${edge.line} imports ${edge.to}: ${rule.because}`),
  )
}

/** Returns imports of a package outside its allowed files. */
export function strays(imports: readonly Import[]): string[] {
  return imports
    .filter((edge) => edge.from.startsWith('src/') && edge.isPackage && !edge.typeOnly)
    .filter((edge) => Object.hasOwn(homes, edge.to) && !homes[edge.to]?.test(edge.from))
    .map((edge) => `${edge.from}:${edge.line} imports ${edge.to}, whose home is ${homes[edge.to]}`)
}
