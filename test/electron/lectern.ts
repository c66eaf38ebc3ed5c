import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Reply } from '../../src/shared/contract/reply.ts'
import type { IntakeReply, PushedEvent, Transport } from '../../src/shared/contract/transport.ts'
import { launch, type LaunchOptions, type RunningApp } from '../electron-standin/launch.ts'
import { connect, pageOf, type ShownWindow } from '../electron-standin/pages.ts'
import type { Lectern, LecternOptions, SavedFile } from '../e2e/lectern.ts'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { callOver } from '../fixtures/call.ts'
import { watch } from '../fixtures/chromium.ts'
import { eventually } from '../fixtures/eventually.ts'

/** Origins of the app's pages in Chromium. */
const origin = 'http://bundle.localhost'
const mediaOrigin = 'http://media.localhost'

/** The built app on the stand-in for Electron. */
export interface ElectronLectern extends Lectern {
  readonly app: RunningApp
  /** Returns the windows as the app's main process knows them. */
  windows(): Promise<readonly ShownWindow[]>
  /** Returns Playwright's page of a window. */
  pageOf(targetId: string): Promise<Page>
  restart(): Promise<ElectronLectern>
  killed(): Promise<ElectronLectern>
}

/** A dialog reported by the stand-in: a question has a detail, a save dialog a path. */
interface Dialog {
  readonly kind: string
  readonly detail: string
  readonly defaultPath: string
}

export interface ElectronLecternOptions extends LecternOptions {
  readonly launch?: LaunchOptions
}

const running = new Map<string, ElectronLectern>()

/** Starts the built app and drives its first window; resolves when the frame is drawn. */
export async function openElectronLectern(
  options: ElectronLecternOptions = {},
): Promise<ElectronLectern> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'lectern-electron-')))
  const app = launch({
    ...options.launch,
    hold: true,
    locale: options.locale ?? 'en-US',
    theme: options.colorScheme ?? 'light',
    flags: [
      // As Playwright starts the browser of the other launcher, so that widths are equal.
      '--hide-scrollbars',
      ...(options.launch?.flags ?? []),
      ...(options.microphone === undefined
        ? []
        : [`--use-file-for-fake-audio-capture=${options.microphone}`]),
    ],
    env: { ...options.launch?.env, ...options.env, LECTERN_HOME: home },
  })
  const browser = await connect(app)
  const { targetId } = await app.event<{ targetId: string }>('window')
  const page = await pageOf(app, browser, targetId)
  const trouble = await watch(page, origin, mediaOrigin)
  await page.setViewportSize({ width: options.width ?? 1280, height: options.height ?? 800 })
  await app.command('release', targetId)
  await page.getByRole('navigation').first().waitFor()

  /** Folders of saved files: never the data folder, into which the app does not save. */
  const folders: string[] = []
  const lectern: ElectronLectern = {
    home,
    app,
    page,
    trouble,
    mediaBase: `${mediaOrigin}/`,
    browser: {
      context: page.context(),
      page: () => Promise.reject(new Error('An app opens its windows itself')),
      close: () => app.stop().then(() => {}),
    },
    host: {
      launchUrl: `${origin}/`,
      process: app.process,
      output: app.output,
      stop: app.stop,
      kill: app.kill,
    },
    windows: () => app.command('windows'),
    pageOf: (id) => pageOf(app, browser, id),
    async saved(act) {
      const from = app.events.length
      const chosen = async (): Promise<SavedFile> => {
        const isSave = ({ kind }: Dialog): boolean => kind === 'save'
        const name = basename((await app.event<Dialog>('dialog', isSave, from)).defaultPath)
        const folder = await mkdtemp(join(tmpdir(), 'lectern-saved-'))
        folders.push(folder)
        const path = join(folder, name)
        await app.command('dialog.answer', [path])
        // It gets its name when it is complete.
        await eventually(() => access(path))
        return { name, path }
      }
      return (await Promise.all([chosen(), act()]))[0]
    },
    async leaving(act) {
      const from = app.events.length
      await act()
      const { detail } = await app.event<Dialog>('dialog', ({ kind }) => kind === 'message', from)
      await app.command('dialog.answer', null)
      return detail
    },
    async opened(act) {
      const from = app.events.length
      await act()
      const window = await app.event<{ targetId: string }>('window', undefined, from)
      const opened = await pageOf(app, browser, window.targetId)
      await app.command('release', window.targetId)
      return opened
    },
    async restart() {
      await app.stop()
      return openElectronLectern({ ...options, home })
    },
    async killed() {
      await app.kill()
      return openElectronLectern({ ...options, home })
    },
    async close() {
      await app.stop()
      running.delete(home)
      for (const folder of [home, ...folders])
        await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  running.set(home, lectern)
  return lectern
}

/** Returns the bridge of the app running on a data folder, through the page of its window. */
export function bridgeOfWindow(home: string): BridgeClient {
  const lectern = running.get(home)
  if (!lectern) throw new Error(`No window shows ${home}`)
  const { page } = lectern
  const raw = (route: string, payload: unknown): Promise<Reply<unknown>> =>
    page.evaluate(
      ([name, value]) => (Reflect.get(window, 'lectern') as Transport).request(name, value),
      [route, payload] as const,
    )
  const events: PushedEvent[] = []
  return {
    origin,
    cookie: '',
    key: '',
    events,
    raw,
    call: callOver(raw),
    async intake(name, body) {
      const reply = (await page.evaluate(
        async ([file, base64]) => {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
          const headers = { 'x-lectern-name': encodeURIComponent(file) }
          return (await fetch('/intake', { method: 'PUT', headers, body: bytes })).json()
        },
        [name, Buffer.from(body).toString('base64')] as const,
      )) as Reply<IntakeReply>
      if (!reply.ok) throw new Error(`intake: ${reply.error.code} ${reply.error.message}`)
      return reply.data.media
    },
    onEvent() {
      throw new Error('A window keeps its events to itself')
    },
    close() {},
  }
}
