import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { missingOptional } from '../scripts/complete-lock.mjs'
import { routes } from '../src/shared/contract/routes.ts'
import { ownControls } from './architecture/controls.ts'
import { unusedExports } from './architecture/exports.ts'
import { fragments } from './architecture/fragments.ts'
import { importsOf, loadedBy } from './architecture/imports.ts'
import { crossings, domainCrossings, domainOrder, strays } from './architecture/layers.ts'
import { moduleState } from './architecture/module-state.ts'
import { roughRemovals } from './architecture/removals.ts'
import { read, repositoryFiles, root, sourcesBelow } from './architecture/tree.ts'
import { unwantedIn } from './architecture/words.ts'
import { isSharedWorkerFile } from './shared-workers.ts'

const sources = sourcesBelow('src')
const otherSources = ['test', 'bench', 'scripts'].flatMap(sourcesBelow)
const imports = new Map(sources.map((source) => [source.path, importsOf(source)]))
const edges = [...imports.values()].flat()

/** Packages that no file of the repository names, with the reason they are needed. */
const usedUnnamed: Readonly<Record<string, string>> = {
  'oxlint-tsgolint': 'oxlint starts it for the rules that need types',
  'vue-eslint-parser': 'eslint-plugin-vue asks for it beside itself',
  espree: 'vue-eslint-parser asks for it beside itself',
  electron: 'electron-builder and the start script read its version',
}

/** State of modules with the reason that calls do not depend on earlier ones. */
const harmlessState: Readonly<Record<string, string>> = {
  'src/renderer/src/domains/chats/thread/announcements.ts: kinds': 'cached kinds of characters',
  'src/renderer/src/domains/chats/thread/live-answer.ts: growing': 'by message',
  'src/renderer/src/i18n/index.ts: wanted': 'by i18n',
  'src/renderer/src/lib/markdown/stream/stream-context.ts: kit': 'created once',
  'src/renderer/src/lib/markdown/speakable.ts: parser': 'created once',
  'src/shared/text/fold.ts: classes': 'cached classes of characters',
  'src/shared/text/fold.ts: clusters': 'cached folds of clusters',
  'src/shared/voices/split.ts: graphemes': 'created once',
  'src/shared/voices/split.ts: paces': 'cached paces of characters',
}

/** Short files that are separate from their only importer, with the reason. */
const separateFiles: Readonly<Record<string, string>> = {
  'src/main/domains/documents/exports/text.ts': 'a format, like docx.ts, markdown.ts and xlsx.ts',
  'src/main/provider-client/undici.ts': 'loaded at the first request',
  'src/renderer/src/domains/chats/views/use-opened-chat.ts': 'one of several parts of a long view',
  'src/renderer/src/domains/knowledge/retrieval/columns/use-document-images.ts':
    'one of several parts of a long view',
  'src/renderer/src/main.ts': 'loaded after the first frame',
}

describe('imports', () => {
  test('respect the layers', () => {
    expect(crossings(edges)).toEqual([])
  })

  test('between domains go in one direction and through an index', () => {
    expect(domainCrossings(edges)).toEqual([])
  })

  test('use restricted packages only in their allowed files', () => {
    expect(strays(edges)).toEqual([])
  })

  test('resolve to existing files', () => {
    const known = new Set(repositoryFiles())
    const lost = edges.filter((edge) => !edge.isPackage && !known.has(edge.to))
    expect(lost.map((edge) => `${edge.from}:${edge.line} imports ${edge.to}`)).toEqual([])
  })

  test('never connect the Electron entry and the loopback host', () => {
    const electron = [...loadedBy('src/main/index.ts', imports).keys()]
    const loopback = [...loadedBy('src/main/hosts/loopback/index.ts', imports).keys()]
    expect(electron.length).toBeGreaterThan(20)
    expect(loopback.length).toBeGreaterThan(20)
    expect(electron.filter((path) => path.startsWith('src/main/hosts/loopback/'))).toEqual([])
    expect(loopback.filter((path) => /^(electron$|src\/main\/electron\/)/.test(path))).toEqual([])
  })

  test('never load zod in the page, directly or indirectly', () => {
    const page = loadedBy('src/renderer/src/main.ts', imports)
    expect(page.size).toBeGreaterThan(20)
    expect(page.get('zod')).toBeUndefined()
  })

  test('use every package in package.json', () => {
    const manifest: Record<'dependencies' | 'devDependencies', Record<string, string>> = JSON.parse(
      read('package.json'),
    )
    const text = repositoryFiles()
      .filter((path) => /\.(ts|mts|mjs|vue|json|yml)$/.test(path) && !path.startsWith('package'))
      .map(read)
      .join('\n')
    const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    const isUsed = (name: string): boolean =>
      [`'${name}'`, `'${name}/`, `"${name}"`, `node_modules/${name}/`, `${name}:`].some((use) =>
        text.includes(use),
      )
    const unused = dependencies.filter(
      (name) => !(name in usedUnnamed) && !name.startsWith('@types/'),
    )
    expect(unused.filter((name) => !isUsed(name))).toEqual([])
  })
})

describe('unit tests that share workers', () => {
  const own = sourcesBelow('test').filter(({ path }) => !path.startsWith('test/e2e/'))
  const files = own.filter(({ path }) => isSharedWorkerFile(path))

  test('load no module whose state affects later calls', () => {
    const known = new Map([...imports, ...own.map((one) => [one.path, importsOf(one)] as const)])
    known.set('all', files.flatMap(importsOf))
    const loaded = loadedBy('all', known)
    expect(files.length).toBeGreaterThan(100)
    expect(loaded.size).toBeGreaterThan(500)
    // Script of a component with `setup` runs for each instance.
    const modules = [...sources, ...own].filter(
      ({ path }) => loaded.has(path) && path.endsWith('.ts'),
    )
    expect(modules.flatMap(moduleState).toSorted()).toEqual(Object.keys(harmlessState).toSorted())
  })

  test('replace no module: other files may have loaded it', () => {
    const replacing = files.filter(({ text }) => /\bvi\.(?:mock|doMock|resetModules)\(/u.test(text))
    expect(replacing.map(({ path }) => path)).toEqual([])
  })
})

test('components use the controls of the kit', () => {
  const components = repositoryFiles().filter((path) => /^src\/renderer\/.*\.vue$/.test(path))
  expect(components.length).toBeGreaterThan(200)
  expect(components.flatMap((path) => ownControls(path, read(path)))).toEqual([])
})

describe('domains', () => {
  test.each(Object.entries(domainOrder))('of %s are exactly those of the order', (side, order) => {
    const folders = readdirSync(join(root, side, 'domains'))
    expect(folders.toSorted()).toEqual([...order].toSorted())
  })

  test.each(domainOrder['src/main'])('create the services of %s in its setup only', (domain) => {
    const folder = `src/main/domains/${domain}/`
    const files = sources.filter(({ path }) => path.startsWith(folder))
    const setup = files.find(({ path }) => path === `${folder}setup.ts`)?.text ?? ''
    const created = [...setup.matchAll(/import \{([^}]*)\} from '\.\/service\//gu)].flatMap(
      ([, names]) => names?.match(/\bcreate[A-Z]\w*/gu) ?? [],
    )
    expect(created).not.toEqual([])
    const call = new RegExp(`(?<!function )\\b(?:${created.join('|')})\\(`, 'u')
    const elsewhere = files.filter(
      ({ path, text }) => !path.endsWith('/setup.ts') && call.test(text),
    )
    expect(elsewhere.map(({ path }) => path)).toEqual([])
  })

  test('have no all.ts in main: a domain is composed in its setup', () => {
    const names = sources.map(({ path }) => path).filter((path) => path.startsWith('src/main/'))
    expect(names.filter((path) => /\/all(-\w+)*\.ts$/u.test(path))).toEqual([])
  })

  test('have no two files with the same name, except their index files', () => {
    const named = Map.groupBy(
      sources.filter(({ path }) => path.includes('/domains/') && !path.endsWith('/index.ts')),
      ({ path }) => path.replace(/^(.*\/domains\/[^/]+\/).*\//u, '$1'),
    )
    const repeated = [...named.values()].filter((files) => files.length > 1)
    expect(repeated.map((files) => files.map(({ path }) => path))).toEqual([])
  })
})

describe('files', () => {
  test('that are short and have only one importer are part of it', () => {
    const found = fragments(sources, [...edges, ...otherSources.flatMap(importsOf)])
    expect(found.toSorted()).toEqual(Object.keys(separateFiles).toSorted())
  })

  test('export only what others import', () => {
    const found = unusedExports([...sources, ...otherSources]).filter((name) =>
      name.startsWith('src/'),
    )
    // pdf.js imports its worker by URL.
    expect(found).toEqual([
      'src/renderer/src/domains/documents/pdf/pdf.worker.ts: WorkerMessageHandler',
    ])
  })

  test('remove files with retries for Windows and without hiding results', () => {
    const own = sources.filter(({ path }) => /^src\/(main|local-service)\//.test(path))
    expect(own.length).toBeGreaterThan(100)
    expect(own.flatMap(roughRemovals)).toEqual([])
  })

  test('contain no unfinished work, local folder, registry or disabled check', () => {
    const texts = repositoryFiles().filter((path) =>
      /\.(ts|mts|mjs|vue|json|md|yml|html|css|plist)$|^\.ci\//.test(path),
    )
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.flatMap((path) => unwantedIn(path, read(path)))).toEqual([])
  })

  test('lock every package, including those for other systems', () => {
    // `node scripts/complete-lock.mjs` fixes this; without it `npm ci` rejects the lock file.
    const lock: { packages: Parameters<typeof missingOptional>[0] } = JSON.parse(
      read('package-lock.json'),
    )
    expect(missingOptional(lock.packages)).toEqual([])
  })

  test('lock packages without registry URLs', () => {
    expect(read('package-lock.json')).not.toContain('"resolved"')
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true')
  })
})

describe('routes', () => {
  const names = Object.keys(routes)
  const domains = [...new Set(names.map((name) => name.slice(0, name.indexOf('.'))))]
  /** Path of the only `routes.ts` with handlers of a group of routes; null if there is none or more than one. */
  const handlerOf = (group: string): string | null => {
    const files = sources.filter(
      ({ path, text }) =>
        /^src\/main\/domains\/[^/]+\/routes\.ts$/.test(path) && text.includes(`'${group}.`),
    )
    return files.length === 1 ? (files[0]?.path ?? null) : null
  }
  const holding = (folder: string, text: string): boolean =>
    sources.some((source) => source.path.startsWith(folder) && source.text.includes(text))

  test('have a contract named after their group, and handlers in the routes of one domain', () => {
    const lost = domains.filter(
      (domain) =>
        !existsSync(join(root, `src/shared/contract/${domain}.ts`)) || handlerOf(domain) === null,
    )
    expect(lost).toEqual([])
  })

  /** Pages import files with `library.import`; the self-test checks documents alone. */
  const callerOf = (name: string) =>
    name === 'documents.create'
      ? { where: 'the self-test', folder: 'src/main/self-test/' }
      : { where: 'the page', folder: 'src/renderer/' }

  test('appear by name in the contract, the handler and their caller', () => {
    const lost = names.flatMap((name) =>
      [
        { where: 'src/shared/contract/routes.ts', folder: 'src/shared/contract/routes.ts' },
        { where: 'its handler', folder: handlerOf(name.split('.')[0] ?? '') ?? '-' },
        callerOf(name),
      ]
        .filter(({ folder }) => !holding(folder, `'${name}'`))
        .map(({ where }) => `${name} is not in ${where}`),
    )
    expect(lost).toEqual([])
  })
})

describe('bundles', () => {
  /** Name that zod keeps in its own errors even when minified. */
  const sign = '$ZodType'
  const programsOf = (folder: string): string[] => {
    const place = join(root, folder)
    if (!existsSync(place)) throw new Error(`${folder} is missing: run npm run build first`)
    return readdirSync(place, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(c|m)?js$/.test(name))
      .map((name) => readFileSync(join(place, name), 'utf8'))
  }

  test('contain zod in main but not in the page', () => {
    expect(programsOf('out/main').some((text) => text.includes(sign))).toBe(true)
    expect(programsOf('out/renderer').length).toBeGreaterThan(0)
    expect(programsOf('out/renderer').some((text) => text.includes(sign))).toBe(false)
  })

  // A bundler that declares a name twice writes a program that cannot start: this once disabled all PDFs in the Electron host.
  test.each(['out/main', 'out/preload', 'out/loopback'])('are valid JavaScript in %s', (folder) => {
    const programs = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.c?js$/.test(name))
      .map((name) => join(root, folder, name))
    const refused = programs.filter(
      (program) => spawnSync(process.execPath, ['--check', program]).status !== 0,
    )
    expect(programs.length).toBeGreaterThan(0)
    expect(refused).toEqual([])
  })
})
