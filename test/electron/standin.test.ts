import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, type RunningApp } from '../electron-standin/launch.ts'
import { connect, pageOf } from '../electron-standin/pages.ts'

interface Sample {
  invoke(channel: string, value?: unknown): Promise<unknown>
  path(file: unknown): string
  back(callback: (value: unknown) => unknown, value: unknown): unknown
  deep: { list: unknown[]; fail(): void }
  later(): Promise<void>
}
declare const sample: Sample

let home: string
let app: RunningApp
let browser: Browser
let page: Page

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'standin-sample-'))
  app = launch({
    entry: fileURLToPath(new URL('../electron-standin/sample/main.mjs', import.meta.url)),
    env: { SAMPLE_HOME: home },
    locale: 'zh-CN',
  })
  browser = await connect(app)
  page = await pageOf(app, browser)
  await page.getByText('Sample').waitFor()
})
afterAll(async () => {
  await app.stop()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

test('exposes functions, frozen copies, promises and errors of a preload to its page', async () => {
  const seen = await page.evaluate(async () => {
    const failure = (() => {
      try {
        sample.deep.fail()
        return null
      } catch (error) {
        return String(error)
      }
    })()
    const rejection = await sample.later().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : null),
    )
    return {
      list: sample.deep.list,
      frozen: Object.isFrozen(sample.deep.list[1]),
      back: sample.back((value) => [value, 'back'], 1),
      failure,
      rejection,
    }
  })
  expect(seen).toEqual({
    list: [1, { two: 2 }],
    frozen: true,
    back: [1, 'back'],
    failure: 'Error: too far',
    rejection: 'later',
  })
})

test('sends structured clones over IPC, preserves error messages, rejects proxies and functions', async () => {
  const value = await page.evaluate(async () => {
    const sent = {
      none: undefined,
      date: new Date(5),
      map: new Map([[1, new Set(['a'])]]),
      bytes: new Uint16Array([1, 500]),
      big: 12n,
      odd: [Number.NaN, -0],
    }
    const got = (await sample.invoke('echo', sent)) as typeof sent
    const words = (promise: Promise<unknown>): Promise<string> => promise.then(String, String)
    const attempt = (make: () => Promise<unknown>): Promise<string> => {
      try {
        return words(make())
      } catch (error) {
        return Promise.resolve(`thrown ${String(error)}`)
      }
    }
    return {
      none: 'none' in got && got.none === undefined,
      date: got.date.getTime(),
      set: got.map.get(1)?.has('a'),
      bytes: [...got.bytes],
      big: got.big === 12n,
      odd: Number.isNaN(got.odd[0]) && Object.is(got.odd[1], -0),
      refuse: await attempt(() => sample.invoke('refuse')),
      unknown: await attempt(() => sample.invoke('nothing')),
      function: await attempt(() => sample.invoke('function')),
      proxy: await attempt(() => sample.invoke('echo', { in: new Proxy({ a: 1 }, {}) })),
      sender: await sample.invoke('sender'),
    }
  })
  expect(value).toEqual({
    none: true,
    date: 5,
    set: true,
    bytes: [1, 500],
    big: true,
    odd: true,
    refuse: "Error: Error invoking remote method 'refuse': TypeError: no such thing",
    unknown:
      "Error: Error invoking remote method 'nothing': Error: No handler registered for 'nothing'",
    function:
      "Error: Error invoking remote method 'function': Error: An object could not be cloned.",
    proxy: 'thrown Error: An object could not be cloned.',
    sender: [true, true, null],
  })
})

test('uses the language of the app for a page and its dates', async () => {
  const languages = await page.evaluate(() => [
    navigator.language,
    new Intl.DateTimeFormat().resolvedOptions().locale,
  ])
  expect(languages).toEqual(['zh-CN', 'zh-CN'])
})

test('runs no preload in a frame, and continues to reply to the page', async () => {
  const { preloaded, echoed } = await page.evaluate(async () => {
    const frame = document.createElement('iframe')
    frame.srcdoc = '<p>Frame</p>'
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    document.body.append(frame)
    await loaded
    const inFrame = Reflect.get(frame.contentWindow ?? {}, 'sample') !== undefined
    const late = new Promise((resolve) => setTimeout(() => resolve('nothing'), 10_000))
    const answer = await Promise.race([sample.invoke('echo', 'still here'), late])
    frame.remove()
    return { preloaded: inFrame, echoed: answer }
  })
  expect({ preloaded, echoed }).toEqual({ preloaded: false, echoed: 'still here' })
})

test('passes a request body as one buffer without a length, under the URL of the app', async () => {
  const reply = (await page.evaluate(async () => {
    const body = new Blob([new Uint8Array(3_000_000)])
    return (await fetch('/intake', { method: 'PUT', body })).json()
  })) as { byteLength: number; headers: string[]; url: string }
  expect(reply.byteLength).toBe(3_000_000)
  expect(reply.url).toBe('app://bundle/intake')
  expect(reply.headers).not.toContain('content-length')
})

test('receives replies of a utility process over its parent port', async () => {
  expect(await page.evaluate(() => sample.invoke('core', 'hello'))).toEqual({
    data: 'hello',
    type: 'utility',
    args: ['one'],
    send: 'undefined',
  })
})

test('connects page and utility process by a port that transfers ports and closes on both sides', async () => {
  const seen = await page.evaluate(async () => {
    const port = await new Promise<MessagePort>((resolve) => {
      window.addEventListener('message', (event) => {
        if (event.data === 'port' && event.ports[0]) resolve(event.ports[0])
      })
      void sample.invoke('connect')
    })
    const answer = (other: MessagePort): Promise<unknown> =>
      new Promise((resolve) => {
        other.onmessage = ({ data }) => resolve(data)
      })
    const first = answer(port)
    const { port1, port2 } = new MessageChannel()
    const through = answer(port1)
    port.postMessage({ question: 1 }, [port2])
    const { asked, bytes } = (await first) as { asked: unknown; bytes: Uint8Array }
    const closed = new Promise((resolve) => port.addEventListener('close', () => resolve('closed')))
    const other = await through
    port.postMessage('close')
    return { asked, bytes: [...bytes], other, closed: await closed }
  })
  expect(seen).toEqual({
    asked: { question: 1 },
    bytes: [1, 2, 3],
    other: 'through the other port',
    closed: 'closed',
  })
})

test('returns the path of a chosen file, and none for a file created by the page', async () => {
  const file = join(home, 'räksmörgås 1.txt')
  await writeFile(file, 'words')
  await page.setInputFiles('input', file)
  const paths = await page.evaluate(() => {
    const chosen = document.querySelector('input')?.files?.[0]
    return [sample.path(chosen), sample.path(new File(['x'], 'made.txt'))]
  })
  expect(paths).toEqual([file, ''])
})

test('reports the exit of a killed utility process', async () => {
  expect(await page.evaluate(() => sample.invoke('core-kill'))).toBe(15)
})

test('returns from window.open each time it closes the window that Chromium opens', async () => {
  const opened = await page.evaluate(() => window.open('https://example.org/') === null)
  for (let i = 0; i < 30; i++)
    expect(await page.evaluate(() => window.open('https://example.org/') === null)).toBe(opened)
}, 60_000)

test('ends its browser even if it is killed', async () => {
  const { pid } = await app.event<{ pid: number }>('browser')
  const state = (): string => spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`]).stdout.toString()
  expect(state()).not.toMatch(/^(Z|$)/)
  await app.kill()
  // A dead process may still wait for its new parent to notice.
  await expect.poll(state).toMatch(/^(Z|$)/)
})
