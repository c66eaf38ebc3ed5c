import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChatSettings } from '../src/shared/model/chat.ts'
import { enter, type BridgeClient } from '../test/fixtures/bridge-client.ts'
import { floods } from '../test/fixtures/endless-server.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { against, measured, type Bench, type Row } from './row.ts'
import { activateAccount, chatSettings, streamEnd } from './stub-chat.ts'
import { ended, readStats, watched } from './watched.ts'

const stallMs = 50
const memoryMb = 300
const databaseMb = 64

/** Measures endless answers in chunks of 400 KB, as fast as they are read: cost for the host until each is cut off and stored. */
export const bench: Bench = {
  name: 'endless-answers',
  async run() {
    const service = fork(new URL('endless-answers/service.ts', import.meta.url))
    const [url] = (await once(service, 'message')) as [string]
    try {
      const rows: Row[] = []
      for (const name of Object.keys(floods))
        for (const surface of ['chat', 'playground'] as const)
          rows.push(...measured(await endure(name, surface, url + name)))
      return rows
    } finally {
      await ended(service)
    }
  },
}

async function endure(
  name: string,
  surface: 'chat' | 'playground',
  url: string,
): Promise<readonly Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-bench-endless-'))
  const host = await startHost(home, watched)
  const page = await enter(host.launchUrl)
  try {
    await activateAccount(page, url)
    // Startup is measured by another benchmark.
    await new Promise((resolve) => setTimeout(resolve, 4000))
    await readStats(host.process, host.output)
    const responder = floods[name]?.from ?? 'agent'
    await (surface === 'chat' ? ask(page, chatSettings[responder]) : run(page, responder))
    const seen = await readStats(host.process, host.output)
    return [
      against(
        {
          name: `${surface}, ${name}: longest block of the main thread`,
          figure: seen.maxMs,
          unit: 'ms',
        },
        'budget',
        stallMs,
      ),
      against({ name: '  by own work', figure: seen.workMs, unit: 'ms' }, 'budget', stallMs),
      against(
        { name: '  peak memory of the host', figure: seen.maxRssMb, unit: 'MB' },
        'budget',
        memoryMb,
      ),
      against(
        { name: '  database afterwards', figure: await databaseSize(home), unit: 'MB' },
        'budget',
        databaseMb,
      ),
    ]
  } finally {
    page.close()
    await host.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** Sends a question and waits until the answer has ended and is stored. */
async function ask(page: BridgeClient, settings: ChatSettings): Promise<void> {
  const { id } = await page.call('chats.create', { settings })
  const streamId = 'bench-endless'
  const over = streamEnd(page, streamId)
  const sent = await page.call('chats.ask', {
    id,
    text: 'Go on.',
    attachments: [],
    streamId,
    waits: false,
  })
  await over
  const answer = await page.call('chats.message', { id: sent.answer?.id ?? '' })
  if (answer.error?.code !== 'ANSWER_TOO_LONG') throw new Error(`the answer is ${answer.state}`)
}

/** Sends the same question in the Playground and waits until the run has ended. */
async function run(page: BridgeClient, responder: keyof typeof chatSettings): Promise<void> {
  const streamId = 'bench-endless'
  const over = streamEnd(page, streamId)
  const input =
    responder === 'agent'
      ? { messages: ['Go on.'], retrieval: { knowledgeIds: ['k1'] } }
      : { assistantId: '65940acff94777010aa6b796', messages: ['Go on.'] }
  const { id } = await page.call('runs.start', { operation: `${responder}s.chat`, input, streamId })
  await over
  const { error, state } = await page.call('runs.get', { id })
  if (error?.code !== 'ANSWER_TOO_LONG') throw new Error(`the run is ${state}`)
}

async function databaseSize(home: string): Promise<number> {
  const files = (await readdir(home)).filter((file) => file.includes('.db'))
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(home, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20
}
