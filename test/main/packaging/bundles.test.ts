import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtFiles, root } from './built.ts'
import { loadedWith, modulesOf, textsOf } from './modules.ts'

describe('the built preload', () => {
  const files = builtFiles('out/preload')

  test('is one CommonJS file that requires nothing but electron', () => {
    expect(files.map(({ path }) => path)).toEqual(['out/preload/index.cjs'])
    const [{ text } = { text: '' }] = files
    expect(modulesOf(text)).toEqual(['electron'])
    expect(text.match(/\brequire\(/g)).toHaveLength(1)
    expect(text).not.toMatch(/\bimport\b[^.]|\bexport\b/)
  })

  test('knows its channels by name, and sends nothing else to Electron', () => {
    const [{ text } = { text: '' }] = files
    expect([...text.matchAll(/"lectern:\w+"/g)].map(([name]) => name).toSorted()).toEqual([
      '"lectern:back"',
      '"lectern:connect"',
      '"lectern:lost"',
      '"lectern:port"',
      '"lectern:push"',
      '"lectern:ready"',
    ])
    expect(text.length).toBeLessThan(8000)
    expect(text).not.toMatch(
      /sendSync|sendToHost|ipcRenderer\.(invoke|postMessage)|process\.|__dirname/,
    )
  })
})

describe('the built main', () => {
  const files = builtFiles('out/main').filter(({ path }) => path.endsWith('.js'))
  const containing = (pattern: RegExp): string[] =>
    files.flatMap(({ path, text }) => {
      const found = pattern.exec(text)?.[0]
      return found ? [`${path}: ${found}`] : []
    })

  test('exists, with its workers', () => {
    const paths = files.map(({ path }) => path)
    for (const name of [
      'index',
      'core',
      'workers/search',
      'workers/database-check',
      'workers/speech',
    ])
      expect(paths).toContain(`out/main/${name}.js`)
  })

  test('loads the core from few files, without what only its first request needs', () => {
    const loaded = loadedWith(files, 'out/main/core.js')
    expect(loaded.length).toBeLessThan(16)
    expect(loaded.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(2_500_000)
    const outside = loaded.flatMap(({ text }) => modulesOf(text))
    expect(outside).toEqual(expect.arrayContaining([expect.stringMatching(/\/undici-[\w-]+\.js$/)]))
    expect(loaded.filter(({ text }) => /class (Agent|ProxyAgent) extends/.test(text))).toEqual([])
  })

  test('needs only Node, Electron and the packages packed with it', () => {
    const outside = new Set(files.flatMap(({ text }) => modulesOf(text)))
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const allowed = new Set([...builtinModules, 'electron', ...Object.keys(dependencies)])
    // A file of a package is imported by the package's name and its inner path.
    const owner = (name: string): string => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name
    const strays = [...outside].filter(
      (name) =>
        !name.startsWith('.') &&
        !name.startsWith('node:') &&
        !allowed.has(name) &&
        !allowed.has(owner(name)),
    )
    expect(strays).toEqual([])
    expect([...outside]).toContain('electron')
    const workers = files.filter(({ path }) => path.includes('/workers/'))
    expect(workers.filter(({ text }) => modulesOf(text).includes('electron'))).toEqual([])
  })

  test('contains no address of a development server, and no exception for one', () => {
    const texts = files.flatMap(({ path, text }) => textsOf(text).map((words) => ({ path, words })))
    expect(texts.length).toBeGreaterThan(1000)
    const dev = /localhost:\d{2,5}\b|ELECTRON_RENDERER_URL|:5173\b|\/@vite\//
    expect(texts.filter(({ words }) => dev.test(words))).toEqual([])
    expect(containing(/VITE_DEV|import\.meta\.hot|webSecurity["']?\s*:\s*(false|!1)/)).toEqual([])
  })

  test('contains nothing of the loopback host', () => {
    expect(containing(/\/launch\/|\/second-launch|SameSite=Strict|HttpOnly;/)).toEqual([])
    expect(
      containing(/Lectern is ready at|FileProtocolHandler|xdg-open|src\/main\/loopback/),
    ).toEqual([])
    // The other bundle does contain them: the search would find them here.
    const other = builtFiles('out/loopback')
      .map(({ text }) => text)
      .join('\n')
    for (const mark of [
      '/launch/',
      '/second-launch',
      'SameSite=Strict',
      'Lectern is ready at',
      'FileProtocolHandler',
    ])
      expect(other).toContain(mark)
    expect(other).not.toMatch(/from\s*["']electron["']|require\(["']electron["']\)/)
  })
})

describe('the built page', () => {
  const files = builtFiles('out/renderer')
  const page = files.find(({ path }) => path === 'out/renderer/index.html')?.text ?? ''

  test('loads its own scripts and styles only, and none inline', () => {
    expect(page).toMatch(/<script type="module"[^>]* src="[^"]+"/)
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    expect(page).not.toMatch(/\son\w+=/)
  })

  test('shows its first frame without a program, and mounts the app from one chunk', () => {
    const [entry] = /assets\/index-[\w-]+\.js/.exec(page) ?? ['']
    const first = loadedWith(files, `out/renderer/${entry}`)
    expect(first.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(4000)
    const main = files.find(({ path }) => /\/main-[\w-]+\.js$/.test(path))
    const loaded = loadedWith(files, main?.path ?? '')
    expect(loaded.length).toBeLessThan(5)
    expect(loaded.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(450_000)
  })

  test('has the loopback bridge in a separate chunk, loaded only on demand', () => {
    const chunks = files.filter(({ path }) => /\/loopback-bridge-[\w-]+\.js$/.test(path))
    expect(chunks).toHaveLength(1)
    expect(chunks[0]?.text).toContain('/bridge')
    expect(page).not.toContain('loopback-bridge')
    const others = files.filter(({ path }) => path.endsWith('.js') && path !== chunks[0]?.path)
    expect(
      others.filter(({ text }) => /new WebSocket\(/.test(text)).map(({ path }) => path),
    ).toEqual([])
  })
})
