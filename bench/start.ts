import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Page } from 'playwright-core'
import {
  openLink,
  type CoreFunctions,
  type HostFunctions,
} from '../src/main/hosts/core/boundary.ts'
import { createPages } from '../src/main/platform/security/pages.ts'
import { openBrowser } from '../test/fixtures/chromium.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { openStore } from '../src/main/library-database/open.ts'
import { residentMegabytes } from './pdf-600/renderer-memory.ts'
import { against, alone, median, timed, type Bench, type Row } from './row.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const runs = 7
/** Multiples of the empty Vue shell. */
const goals: Readonly<Record<keyof Times, number>> = { frame: 1.5, mounted: 3 }
/** Milliseconds from spawning the core to the app, and megabytes of the core when idle. */
const coreGoals = { readyMs: 250, restMb: 150 }
/**
 * Milliseconds after the start at which the core is at rest: the file was checked after 15 s, and V8 has returned what the start
 * needed and the worker for that check has ended.
 */
const restMs = 50_000
/** Starts whose memory is measured. */
const rested = 3

/**
 * Startup: time from HTML to first frame compared with an empty Vue shell, bytes of the entry closure, and the parts of main's
 * startup.
 */
export const bench: Bench = {
  name: 'start',
  async run() {
    return [
      ...(await firstFrame()),
      await entryClosure(),
      ...(await mainParts()),
      ...(await coreParts()),
      ...(await storeParts()),
    ]
  },
}

/** Milliseconds from the document's first byte to the first contentful paint, and to the mounted app. */
interface Times {
  readonly frame: number
  readonly mounted: number
}

async function open(page: Page, url: string): Promise<Times> {
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForFunction(() => performance.getEntriesByName('lectern:mounted').length > 0)
  const mounted = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as { responseStart?: number }[]
    const [mark] = performance.getEntriesByName('lectern:mounted')
    return (mark?.startTime ?? 0) - (navigation?.responseStart ?? 0)
  })
  return { frame: await paint(page), mounted }
}

function paint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const from = performance.getEntriesByType('navigation')[0] as
          | { responseStart?: number }
          | undefined
        new PerformanceObserver((list) => {
          const entry = list.getEntriesByName('first-contentful-paint')[0]
          if (entry) resolve(entry.startTime - (from?.responseStart ?? 0))
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}

async function firstFrame(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-bench-start-'))
  const shell = await emptyShell(home)
  const host = await startHost(join(home, 'data'))
  const cold = { ours: [] as Times[], shell: [] as Times[] }
  const warm = { ours: [] as Times[], shell: [] as Times[] }
  try {
    // One profile for the launch link; every cold run gets an empty cache through a new context.
    const browser = await openBrowser()
    const entry = await browser.page()
    await entry.goto(host.launchUrl)
    await entry.waitForURL((url) => url.pathname === '/')
    const key = await entry.evaluate(() => sessionStorage.getItem('lectern-key') ?? '')
    const cookies = await browser.context.cookies()
    const ours = `${new URL(host.launchUrl).origin}/`
    for (let run = 0; run < runs + 1; run++) {
      for (const [name, url] of [
        ['shell', shell.url],
        ['ours', ours],
      ] as const) {
        const fresh = await openBrowser()
        await fresh.context.addCookies(cookies)
        await fresh.context.addInitScript((k) => sessionStorage.setItem('lectern-key', k), key)
        const page = await fresh.page()
        const first = await open(page, url)
        // The third load is the first that finds compiled code in the cache.
        await open(page, url)
        const again = await open(page, url)
        if (run > 0) {
          cold[name].push(first)
          warm[name].push(again)
        }
        await fresh.close()
      }
    }
    await browser.close()
  } finally {
    await host.stop()
    await shell.stop()
    await rm(home, { recursive: true, force: true })
  }
  const row = (name: string, times: typeof cold, what: keyof Times): Row =>
    against(
      { name, figure: median(times.ours.map((time) => time[what])), unit: 'ms' },
      `empty Vue shell, goal ${goals[what]}x`,
      median(times.shell.map((time) => time[what])),
    )
  return [
    row('html to first frame, cold', cold, 'frame'),
    row('html to first frame, warm', warm, 'frame'),
    row('html to mounted app, cold', cold, 'mounted'),
    row('html to mounted app, warm', warm, 'mounted'),
  ]
}

/** A Vue app that shows one word, built with the same tool and served with the same headers. */
async function emptyShell(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const source = await mkdtemp(join(root, 'node_modules', '.lectern-shell-'))
  await writeFile(
    join(source, 'index.html'),
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shell</title></head><body><div id="app"></div><script type="module" src="./main.js"></script></body></html>',
  )
  await writeFile(
    join(source, 'main.js'),
    "import { createApp, h } from 'vue'\ncreateApp({ render: () => h('main', 'Lectern') }).mount('#app')\nperformance.mark('lectern:mounted')\n",
  )
  const outDir = join(folder, 'shell')
  await build({
    root: source,
    configFile: false,
    logLevel: 'silent',
    build: { outDir, emptyOutDir: true, modulePreload: { polyfill: false } },
    define: {
      __VUE_OPTIONS_API__: 'false',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  })
  await rm(source, { recursive: true, force: true })
  const pages = await createPages({ rendererDir: outDir, host: 'loopback' })
  const server = createServer((request, response) => {
    void pages(new Request(`http://127.0.0.1${request.url ?? '/'}`)).then(async (reply) => {
      response.writeHead(reply.status, Object.fromEntries(reply.headers))
      response.end(Buffer.from(await reply.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/**
 * Gzipped bytes of everything loaded before the app is mounted: the document, its entry, what the entry fetches after the frame
 * is painted, all their static imports, and their style sheets.
 */
async function entryClosure(): Promise<Row> {
  const out = join(root, 'out', 'renderer')
  const html = await readFile(join(out, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\.?\/?([^":]+\.(?:js|css))"/g)].map((m) => m[1])
  const entry = named.find((file) => file?.startsWith('assets/index-') && file.endsWith('.js'))
  const boot = entry === undefined ? '' : await readFile(join(out, entry), 'utf8')
  const fetched = [...boot.matchAll(/["'`.]\/?((?:assets\/)?[\w.-]+\.(?:js|css))["'`]/g)].map(
    (m) => m[1] ?? '',
  )
  const queue = [...named, ...fetched.map((file) => `assets/${file.replace(/^assets\//, '')}`)]
  const seen = new Set<string>()
  let bytes = gzipSync(html).byteLength
  for (let file = queue.shift(); queue.length > 0 || file !== undefined; file = queue.shift()) {
    if (file === undefined || seen.has(file)) continue
    seen.add(file)
    const text = await readFile(join(out, file), 'utf8')
    bytes += gzipSync(text).byteLength
    for (const match of text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      queue.push(`assets/${match[1]}`)
  }
  return against(
    { name: 'entry closure, gzipped', figure: bytes / 1024, unit: 'KB' },
    'budget',
    200,
  )
}

/** Milliseconds from spawning Node to the script's last line. */
async function spawned(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const from = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  await new Promise((resolve) => child.once('exit', resolve))
  return performance.now() - from
}

/** The parts of main's startup, each loaded alone in a new process, minus a bare Node start. */
async function mainParts(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-bench-main-'))
  const bare: number[] = []
  const parts: Readonly<Record<string, string>> = {
    'load better-sqlite3': `import('better-sqlite3')`,
    'load keyring (first use)': `import('@napi-rs/keyring')`,
    'load undici (first use)': `import('undici/lib/dispatcher/proxy-agent.js')`,
    'load zod': `import('zod')`,
  }
  const times = new Map<string, number[]>()
  const ready: number[] = []
  try {
    for (let run = 0; run < runs; run++) {
      bare.push(await spawned(['-e', '0']))
      for (const [name, code] of Object.entries(parts)) {
        const list = times.get(name) ?? []
        times.set(name, [...list, await spawned(['--input-type=module', '-e', `await ${code}`])])
      }
      const from = performance.now()
      const host = await startHost(join(home, 'data'))
      ready.push(performance.now() - from)
      await host.stop()
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  const base = median(bare)
  return [
    alone({ name: 'bare node', figure: base, unit: 'ms' }),
    ...[...times].map(([name, list]) => alone({ name, figure: median(list) - base, unit: 'ms' })),
    against(
      { name: 'host spawned to ready', figure: median(ready), unit: 'ms' },
      'bare node',
      base,
    ),
  ]
}

/** The built core in a process of its own, as Electron's host starts it: until the app exists, and its memory when idle. */
async function coreParts(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-bench-core-'))
  const host: HostFunctions = { service: () => Promise.resolve(null), push() {}, openProcess() {} }
  const ready: number[] = []
  const bare: number[] = []
  const memory: number[] = []
  try {
    for (let run = 0; run < runs + 1; run++) {
      bare.push(await spawned(['-e', '0']))
      const from = performance.now()
      const child = fork(join(root, 'bench', 'start-core.mjs'), [], {
        serialization: 'advanced',
        env: { ...process.env, LECTERN_HOME: home },
      })
      const core = openLink<CoreFunctions, HostFunctions>(host, {
        post: (message) => void child.send(message as object),
        on: (listener) => void child.on('message', listener),
      })
      const data = {
        host: 'electron',
        home,
        version: '0.0.0',
        platform: process.platform,
        rendererDir: join(root, 'out', 'renderer'),
        modelsDir: join(root, 'resources', 'models'),
        mediaBase: 'app://media/',
      }
      await core.create({ data, functions: ['proxyFor', 'openExternal'] })
      const ms = performance.now() - from
      await core.start()
      if (run > runs - rested) {
        await pause(restMs)
        memory.push(residentMegabytes(child.pid ?? 0))
      }
      await core.stop()
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
      // The first one creates the library.
      if (run > 0) ready.push(ms)
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  return [
    against(
      { name: 'core spawned to ready', figure: median(ready), unit: 'ms' },
      'budget',
      coreGoals.readyMs,
    ),
    // On a computer in use, this says more than milliseconds.
    against({ name: '  the same', figure: median(ready), unit: 'ms' }, 'bare node', median(bare)),
    against(
      { name: 'core at rest', figure: median(memory), unit: 'MB' },
      'budget',
      coreGoals.restMb,
    ),
  ]
}

/**
 * Main's work between its first line and the first response, in this warm process: opening the library and mapping the page's
 * files.
 */
async function storeParts(): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-bench-store-'))
  const log = { info() {}, warn() {}, error() {} }
  const workerUrl = (name: string): URL =>
    new URL(`../src/main/workers/${name}.ts`, import.meta.url)
  const opened = async (folder: string): Promise<number> => {
    const from = performance.now()
    const store = await openStore({
      home: folder,
      clock: Date.now,
      log,
      workerUrl,
      appVersion: '0',
    })
    const ms = performance.now() - from
    await store.close()
    return ms
  }
  const first: number[] = []
  const again: number[] = []
  const pages: number[] = []
  try {
    for (let run = 0; run < runs; run++) {
      const folder = join(home, String(run))
      first.push(await opened(folder))
      again.push(await opened(folder))
      const rendererDir = join(root, 'out', 'renderer')
      pages.push(await timed(() => createPages({ rendererDir, host: 'loopback' })))
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  return [
    alone({ name: 'create a library', figure: median(first), unit: 'ms' }),
    alone({ name: 'open a library', figure: median(again), unit: 'ms' }),
    alone({ name: 'map the page files', figure: median(pages), unit: 'ms' }),
  ]
}
