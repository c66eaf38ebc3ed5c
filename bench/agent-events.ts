import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReplyOf } from '../src/shared/contract/routes.ts'
import { enter, type BridgeClient } from '../test/fixtures/bridge-client.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { eventsPerSecond, numberOf, totalEvents } from './agent-events/stream.ts'
import { against, alone, type Bench, type Row } from './row.ts'
import { activateAccount } from './stub-chat.ts'
import { ended, readStats, watched, type Seen } from './watched.ts'

const program = (name: string): URL => new URL(`./agent-events/${name}.ts`, import.meta.url)

/** Maximum time the main thread may be blocked, in milliseconds. */
const budgetMs = 50

/**
 * Streams 20,000 agent events per second for ten seconds through client, database, bridge and page, compared with a bare parser.
 */
export const bench: Bench = {
  name: 'agent-events',
  async run() {
    const service = fork(program('service'))
    const [port] = (await once(service, 'message')) as [number]
    const url = `http://127.0.0.1:${port}`
    try {
      const bare = await bareRead(url)
      return await measureFullPath(url, bare)
    } finally {
      await ended(service)
    }
  },
}

async function bareRead(url: string): Promise<Seen> {
  const child = fork(program('bare'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...watched },
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const exit = once(child, 'exit').then(() => {
    throw new Error('the bare reader ended early')
  })
  exit.catch(() => undefined)
  const until = async (word: string): Promise<void> => {
    while (!output.includes(word)) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  try {
    await Promise.race([until('watching'), exit])
    await readStats(child, () => output)
    child.send(url)
    await Promise.race([until('read '), exit])
    return await readStats(child, () => output)
  } finally {
    await ended(child)
  }
}

/** Events the page received: count, whether in order, number of messages, and duration. */
interface DeliveryStats {
  readonly events: number
  readonly messages: number
  readonly seconds: number
}

async function measureFullPath(url: string, bare: Seen): Promise<Row[]> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-bench-agent-'))
  const host = await startHost(home, watched)
  const page = await enter(host.launchUrl)
  try {
    await activateAccount(page, url)
    // Startup is measured by another benchmark: wait until idle work and initial loads are over.
    await new Promise((resolve) => setTimeout(resolve, 4000))
    await readStats(host.process, () => host.output())
    const { arrived, runId } = await follow(page)
    const seen = await readStats(host.process, () => host.output())
    await checkStored(page, runId)
    return rowsOf(arrived, seen, bare)
  } finally {
    page.close()
    await host.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** Follows the run in the page; throws at the first event that is lost, duplicated or out of order. */
async function follow(page: BridgeClient): Promise<{ arrived: DeliveryStats; runId: string }> {
  const streamId = 'bench-agent-events'
  let expected = 0
  let seq = 0
  let messages = 0
  let from = 0
  let trouble: string | null = null
  const over = new Promise<void>((resolve) => {
    page.onEvent((event) => {
      if (event.channel !== 'stream' || event.event.streamId !== streamId) return
      if (event.event.seq !== seq++) trouble ??= `message ${event.event.seq} came as ${seq - 1}`
      if (event.event.type === 'error') trouble ??= event.event.error.message
      if (event.event.type === 'error' || event.event.type === 'end') return resolve()
      if (event.event.type !== 'events') return
      from ||= performance.now()
      messages += 1
      const { batch } = event.event
      if (batch.first !== expected) trouble ??= `events from ${batch.first}, not ${expected}`
      expected = check(batch.json, expected)
    })
  })
  const run = await page.call('runs.start', {
    operation: 'agents.chat',
    input: { messages: ['Count.'], retrieval: { knowledgeIds: ['bench'] } },
    streamId,
  })
  await over
  const seconds = (performance.now() - from) / 1000
  if (trouble !== null) throw new Error(trouble)
  if (expected !== totalEvents) throw new Error(`${expected} events at the page`)
  return { arrived: { events: expected, messages, seconds }, runId: run.id }
}

/** Checks the numbers of a batch; returns the next expected number. */
function check(json: string, first: number): number {
  let expected = first
  for (const event of JSON.parse(json) as Readonly<Record<string, unknown>>[]) {
    const number = numberOf(event)
    if (number !== expected) throw new Error(`event ${number} came in place of ${expected}`)
    expected += 1
  }
  return expected
}

/** Reads everything back from the database; throws if anything is lost or out of order. */
async function checkStored(page: BridgeClient, id: string): Promise<void> {
  let expected = 0
  let from: number | null = 0
  while (from !== null) {
    const stored: ReplyOf<'runs.events'> = await page.call('runs.events', {
      id,
      from,
      limit: 5000,
    })
    for (const batch of stored.batches) {
      if (batch.first !== expected) throw new Error(`stored from ${batch.first}, not ${expected}`)
      expected = check(batch.json, expected)
    }
    from = stored.next
  }
  const run = await page.call('runs.get', { id })
  if (expected !== totalEvents || run.events !== totalEvents || run.state !== 'done')
    throw new Error(`${expected} events stored, run ${run.state} with ${run.events}`)
}

function rowsOf(arrived: DeliveryStats, seen: Seen, bare: Seen): Row[] {
  const perEvent = (cpuMs: number): number => (cpuMs * 1000) / totalEvents
  return [
    against(
      {
        name: 'agent events, service to page, stored, none lost',
        figure: arrived.events / arrived.seconds,
        unit: 'events/s',
      },
      'pace of the service',
      eventsPerSecond,
    ),
    against(
      { name: 'longest block of the main thread', figure: seen.maxMs, unit: 'ms' },
      'budget',
      budgetMs,
    ),
    against(
      { name: 'longest block by own work', figure: seen.workMs, unit: 'ms' },
      'budget',
      budgetMs,
    ),
    against(
      { name: 'longest block, plain reader for comparison', figure: bare.maxMs, unit: 'ms' },
      'budget',
      budgetMs,
    ),
    alone({ name: 'blocks of the main thread, p99', figure: seen.p99Ms, unit: 'ms' }),
    against(
      { name: 'CPU time per event, end to end', figure: perEvent(seen.cpuMs), unit: 'us' },
      'bare SSE read and JSON.parse',
      perEvent(bare.cpuMs),
    ),
    against(
      { name: 'messages to the page', figure: arrived.messages, unit: 'messages' },
      'one message an event',
      totalEvents,
    ),
    alone({ name: 'memory of the host afterwards', figure: seen.rssMb, unit: 'MB' }),
  ]
}
