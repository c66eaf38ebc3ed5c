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

/** Layers of the architecture, as data: renderer -> shared <- main; hosts -> app -> domains -> runs, operations, mirror -> provider client, platform. */
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
    never: /^(src\/(?!(system|shared)\/)|electron$)/,
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
    except: /^src\/(main\/hosts\/electron\/|main\/index\.ts$|preload\/)/,
    because: 'electron has one home',
  },
  {
    of: /^src\/(?!main\/hosts\/loopback\/)/,
    never: /^src\/main\/hosts\/loopback\//,
    because: 'the loopback host is left out of the packaged app',
  },
  {
    of: /^src\/(?!main\/(hosts\/electron\/|index\.ts$))/,
    never: /^src\/main\/(hosts\/electron\/|index\.ts$)/,
    because: 'only the Electron host knows Electron',
  },
  {
    of: /^src\/main\/(platform|work-queue|mirror|provider-client|operations|runs|domains|library-database|workers)\//,
    never: /^src\/main\/(app\.ts|hosts\/)/,
    because: 'only hosts call createApp and know where files lie',
  },
  {
    of: /^src\/main\/(platform|work-queue|mirror|provider-client|operations|runs)\//,
    never: /^src\/main\/(domains|library-database|updates|self-test|workers)\//,
    typesAllowed: true,
    because: 'domains are built on them, never the other way',
  },
  {
    of: /^src\/(?!main\/app\.ts$)/,
    never: /^src\/main\/domains\/[^/]+\/setup\.ts$/,
    because: 'only createApp puts the domains together',
  },
  {
    of: /^src\/main\/app\.ts$/,
    never: /^src\/main\/domains\/[^/]+\/(service\/|routes\.ts)/,
    because: 'the setup of a domain creates its services and handlers',
  },
  {
    of: /^src\/main\/domains\/[^/]+\/(store|service|worker|exports|archive)\//,
    never: /^src\/main\/domains\/[^/]+\/routes\.ts$/,
    typesAllowed: true,
    because: 'routes call services, never the other way',
  },
  {
    of: /^src\/main\/domains\/[^/]+\/(store|worker|exports)\//,
    never: /^src\/main\/domains\/[^/]+\/service\//,
    typesAllowed: true,
    because: 'services use stores, workers and exports, never the other way',
  },
  {
    of: /^src\/main\/provider-client\//,
    never: /^src\/main\/(platform\/(database|files|secrets)|library-database)\//,
    typesAllowed: true,
    because: 'the client of the service keeps nothing',
  },
  {
    of: /^src\/main\/(platform\/(database|files|secrets)|library-database|domains\/[^/]+\/store)\//,
    never: /^src\/main\/provider-client\//,
    typesAllowed: true,
    because: 'what is kept does not depend on where it came from',
  },
]

/**
 * Domains in the order in which they are built on each other: a domain imports only from the ones before it, and only what their
 * `index.ts` files export. In main, stores and exports have index files of their own, so that a worker loads no services.
 */
export const domainOrder = {
  'src/main': [
    'settings',
    'playground',
    'audio',
    'documents',
    'knowledge',
    'chats',
    'voices',
    'library',
  ],
  'src/renderer/src': [
    'settings',
    'library',
    'playground',
    'audio',
    'documents',
    'knowledge',
    'chats',
    'voices',
  ],
} as const

/** Returns imports between domains that skip an index or go against {@link domainOrder}, one sentence each. */
export function domainCrossings(imports: readonly Import[]): string[] {
  return Object.entries(domainOrder).flatMap(([side, order]) => {
    const prefix = `${side}/domains/`
    const rankOf = (path: string): number =>
      path.startsWith(prefix)
        ? (order as readonly string[]).indexOf(path.slice(prefix.length).split('/')[0] ?? '')
        : -1
    return imports
      .filter(({ from, to }) => rankOf(from) >= 0 && rankOf(to) >= 0 && rankOf(from) !== rankOf(to))
      .flatMap(({ from, to, line }) => {
        const what = `${from}:${line} imports ${to}`
        if (rankOf(to) > rankOf(from)) return [`${what}, a domain that is built on this one`]
        return to.endsWith('/index.ts') ? [] : [`${what}, which is not the index of its domain`]
      })
  })
}

/** Packages with the only files that may import them. */
export const homes: Readonly<Record<string, RegExp>> = {
  undici: /^src\/main\/(provider-client\/|platform\/security\/remote-fetch\.ts$)/,
  'electron-updater': /^src\/main\/updates\//,
  semver: /^src\/main\/updates\//,
  'eventsource-parser': /^src\/main\/provider-client\//,
  // The single-instance lock is an SQLite lock; the local service has its own state.
  'better-sqlite3':
    /^src\/(main\/(platform\/database\/|library-database\/|domains\/[^/]+\/store\/|domains\/library\/archive\/|workers\/|hosts\/support\/instance\.ts$)|local-service\/state\.ts$)/,
  '@napi-rs/keyring': /^src\/main\/platform\/secrets\//,
  ws: /^src\/main\/hosts\/loopback\//,
  '@msgpack/msgpack': /^src\/(main\/hosts\/loopback|renderer\/src\/lib\/bridge)\//,
  'onnxruntime-web': /^src\/(local-service|main\/platform\/audio\/voice-activity)\//,
  '@napi-rs/canvas': /^src\/(local-service|main\/domains\/documents\/worker)\//,
  'pdfjs-dist':
    /^src\/(local-service\/engines\/pages\/|main\/(platform\/files\/pdf-pages\.ts$|domains\/documents\/worker\/)|renderer\/src\/domains\/documents\/)/,
  '@cantoo/pdf-lib': /^src\/main\/domains\/documents\/worker\//,
  'libheif-js': /^src\/main\/domains\/documents\/worker\//,
  'markdown-it':
    /^src\/(renderer\/src\/lib\/markdown|system\/text-files|main\/(platform\/export-files|domains\/[^/]+\/exports))\//,
  shiki: /^src\/renderer\/src\/lib\/markdown\//,
  mermaid: /^src\/renderer\/src\/lib\/markdown\//,
  dompurify: /^src\/renderer\/src\/lib\/markdown\//,
  katex:
    /^src\/(renderer\/src\/lib\/markdown|main\/(platform\/export-files|domains\/[^/]+\/exports))\//,
  htmlparser2:
    /^src\/(system\/text-files|main\/(platform\/export-files|domains\/[^/]+\/exports))\//,
  mammoth: /^src\/system\/text-files\//,
  'write-excel-file': /^src\/main\/domains\/documents\/exports\//,
  '@energetic-ai/core': /^src\/local-service\/engines\//,
  '@energetic-ai/embeddings': /^src\/local-service\/engines\//,
  'chart.js': /^src\/renderer\/src\/domains\/playground\/activity\//,
  'llama-tokenizer-js': /^src\/local-service\//,
  '@fastify/busboy': /^src\/local-service\//,
  // The content of an archive is validated by schemas, like requests of a page.
  zod: /^src\/(shared\/contract\/|main\/operations\/|main\/platform\/database\/schema\/|main\/hosts\/core\/page-port\.ts$|main\/platform\/secrets\/|main\/erasing\.ts$)/,
  vue: /^src\/renderer\//,
  pinia: /^src\/renderer\//,
  // Controls over it are parts of the kit; fields of recordings are to follow.
  'naive-ui': /^src\/renderer\/src\/(kit|domains\/audio\/(meetings|recorder))/,
  '@tanstack/vue-virtual': /^src\/renderer\/src\/kit\//,
  'vue-i18n': /^src\/renderer\//,
  'vue-router': /^src\/renderer\//,
  'umap-js': /^src\/renderer\/src\/domains\/knowledge\/embeddings\//,
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
