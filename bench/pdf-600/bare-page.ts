import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { BridgeClient } from '../../test/fixtures/bridge-client.ts'
import { chromiumPath, quietFlags } from '../../test/fixtures/chromium-program.ts'

/** A page of a separate browser, with as little use of the DevTools protocol as possible. */
export interface BarePage {
  goto(url: string): Promise<void>
  /** Runs a self-contained function in the page, with a JSON argument. Rejects with the error it throws. */
  evaluate<Result>(work: () => Result | Promise<Result>): Promise<Result>
  evaluate<Result, Argument>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>
  close(): Promise<void>
}

/** The cookie that authenticates a browser as this client. */
export function cookieOf({ cookie, origin }: Pick<BridgeClient, 'cookie' | 'origin'>) {
  const [name = '', value = ''] = cookie.split('=')
  return { name, value, url: origin }
}

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly error?: { readonly message: string }
  readonly result?: Readonly<Record<string, unknown>>
}

/**
 * Starts a browser on a profile folder with one page of 1280 by 800, authenticated as `client`. Test drivers subscribe to their
 * pages' network events, and the response bodies (some 160 MB after a while) then stay in the renderer that is measured; users do
 * not have those.
 */
export async function barePage(
  profile: string,
  client: Pick<BridgeClient, 'cookie' | 'origin' | 'key'>,
): Promise<BarePage> {
  const child = spawn(
    chromiumPath(),
    [
      `--user-data-dir=${profile}`,
      '--headless',
      '--remote-debugging-port=0',
      ...quietFlags,
      '--hide-scrollbars',
      '--window-size=1280,800',
      '--lang=en-US',
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  const gone = once(child, 'exit')
  const socket = new WebSocket(await pageAddress(profile))
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Answer) => void>()
  const listeners = new Map<string, () => void>()
  let calls = 0
  socket.on('message', (data: Buffer) => {
    const answer = JSON.parse(data.toString()) as Answer
    if (answer.id === undefined) listeners.get(answer.method ?? '')?.()
    else waiting.get(answer.id)?.(answer)
  })
  const send = async (method: string, params: object = {}): Promise<Answer['result']> => {
    const id = ++calls
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { error, result } = await answered
    waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  await send('Emulation.setDeviceMetricsOverride', {
    width: 1280,
    height: 800,
    deviceScaleFactor: 1,
    mobile: false,
  })
  await send('Network.setCookie', cookieOf(client))
  await send('Page.enable')
  const source = `sessionStorage.setItem('lectern-key', ${JSON.stringify(client.key)})`
  await send('Page.addScriptToEvaluateOnNewDocument', { source })

  return {
    async goto(url) {
      const loaded = new Promise<void>((resolve) => listeners.set('Page.loadEventFired', resolve))
      await send('Page.navigate', { url })
      await loaded
    },
    async evaluate<Result>(work: (argument?: never) => unknown, argument?: unknown) {
      const expression = `(${work.toString()})(${JSON.stringify(argument) ?? ''})`
      const outcome = (await send('Runtime.evaluate', {
        expression,
        awaitPromise: true,
        returnByValue: true,
      })) as { readonly result: { readonly value: Result }; readonly exceptionDetails?: object }
      if (outcome.exceptionDetails) throw new Error(JSON.stringify(outcome.exceptionDetails))
      return outcome.result.value
    },
    async close() {
      socket.close()
      child.kill()
      await gone
    },
  }
}

async function pageAddress(profile: string): Promise<string> {
  const file = join(profile, 'DevToolsActivePort')
  for (let tries = 0; tries < 200; tries++) {
    await sleep(50)
    if (!existsSync(file)) continue
    const [port] = readFileSync(file, 'utf8').split('\n')
    const reply = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null)
    const targets = (await reply?.json()) as
      | readonly { readonly type: string; readonly webSocketDebuggerUrl: string }[]
      | undefined
    const page = targets?.find(({ type }) => type === 'page')
    if (page) return page.webSocketDebuggerUrl
  }
  throw new Error('the browser did not open a page within ten seconds')
}
