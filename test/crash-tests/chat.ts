import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { emptyAnswer, foldAnswer } from '../../src/shared/chats/answer.ts'
import type { AnswerEvent } from '../../src/shared/chats/answer.ts'
import type { ChatMessage } from '../../src/shared/model/chat.ts'
import type { EventBatch } from '../../src/shared/model/run.ts'
import { randomFrom } from '../fixtures/random.ts'
import { startScriptedServer, type ScriptedReply } from '../fixtures/scripted-server.ts'
import type { CrashTestArguments } from './index.ts'

/** Options of the crash test; the short form in `npm test` runs fewer rounds. */
export interface ChatCrashTestOptions extends CrashTestArguments {
  /** Output from which the time of a kill counts: the first question, or the first event that the page received. */
  readonly from?: 'asked' | 'seen'
  readonly log?: (line: string) => void
}

/** Result of the crash test. */
export interface ChatCrashTest {
  readonly rounds: number
  readonly kills: number
  /** Number of questions that were asked, edited or moved back to the draft. */
  readonly written: number
  /** Number of lost texts of questions and answers: the test rejects unless it is 0. */
  readonly lost: number
  /** Number of answers that a page had partly received when the app was killed. */
  readonly cut: number
  /** Number of events that pages had received, all of which were found afterward. */
  readonly events: number
  /** Number of questions that were queued at the kill, and still are. */
  readonly queued: number
  /** Number of kills while the next start repaired the previous run. */
  readonly killsInRepair: number
}

const key = 'scripted-key-of-no-worth'
/** Number of pieces of an answer, and milliseconds between them: an answer takes about a second. */
const chunkCount = 60
const betweenMs = 15
/** Maximum lifetime from the first question on, in milliseconds: into the third answer. */
const lifeMs = 3200

/** Returns an answer with reasoning, a tool call and text, in pieces. */
function reply(): ScriptedReply {
  const events: unknown[] = [{ type: 'session_created', sessionId: 's1' }]
  for (let n = 0; n < 8; n++) events.push({ type: 'reasoning', data: `thought ${n} ` })
  events.push({
    type: 'tool_call',
    data: { callId: 'c1', toolName: 'retrieve', arguments: { query: 'words' } },
  })
  events.push({
    type: 'tool_result',
    data: { callId: 'c1', toolName: 'retrieve', result: ['found'], status: 'success' },
  })
  const words = Array.from({ length: chunkCount }, (_, n) =>
    n % 3 === 2 ? `第${n}句，` : `word${n} `,
  )
  for (const data of words) events.push({ type: 'answer', data })
  events.push({ type: 'done', messageId: 'm1', data: words.join('') })
  const texts = events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
  let at = 0
  const splitAt = texts.map((text) => (at += Buffer.byteLength(text)))
  return { body: texts.join(''), splitAt, betweenMs }
}

/**
 * Asks three questions at once (one is answered and two are queued) in a child process; kills that process (SIGKILL) at random
 * moments and restarts it, sometimes killing that one as well. Meanwhile more questions are queued, edited and moved back. Every
 * event that a page had received must be in the answer afterward, every last text must be a message or in the draft, no answer
 * may still run, and queued questions must still be queued: nothing is sent without the user.
 */
export async function crashTestChat(options: ChatCrashTestOptions = {}): Promise<ChatCrashTest> {
  const { rounds = 50, seed = 20_26, from = 'asked', log = () => {} } = options
  const random = randomFrom(seed)
  const home = await mkdtemp(join(tmpdir(), 'lectern-chats-'))
  const server = await startScriptedServer()
  server.always(({ url }) =>
    url.includes('/zrag/agent/chat') ? reply() : { body: '{"voice_list":[]}' },
  )
  const requestCount = (): number =>
    server.requests.filter(({ url }) => url.includes('/zrag/')).length
  const found = {
    rounds,
    kills: 0,
    cut: 0,
    events: 0,
    queued: 0,
    killsInRepair: 0,
    written: 0,
    lost: 0,
  }
  try {
    for (let round = 0; round < rounds; round++) {
      const life = await live([home, server.url, key, 'ask'], {
        from,
        afterMs: Math.floor(random() * lifeMs),
      })
      found.kills += 1
      const before = requestCount()
      if (round % 3 === 1) {
        await live([home, server.url, key, 'look'], {
          from: 'start',
          afterMs: 300 + Math.floor(random() * 900),
        })
        found.killsInRepair += 1
      }
      const after = await live([home, server.url, key, 'look'], null)
      if (requestCount() !== before) throw new Error('a question was sent without the reader')
      const seen = compareLives(life, after)
      found.cut += seen.cut
      found.events += seen.events
      found.queued += seen.queued
      found.written += seen.written
      found.lost += seen.lost.length
      for (const one of seen.lost) log(`lost: ${one}`)
      const { events, cut, queued, written } = seen
      log(
        `round ${round + 1}: ${events} events seen, ${cut} cut, ${queued} queued, ${written} written`,
      )
    }
  } finally {
    await server.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  if (found.lost > 0) throw new Error(`${found.lost} texts are lost`)
  return found
}

/** Findings after one kill. */
interface Seen {
  readonly cut: number
  readonly events: number
  readonly queued: number
  readonly written: number
  readonly lost: readonly string[]
}

/** Output lines of a run, by their first word. */
type Lines = ReadonlyMap<string, readonly unknown[]>

/** Checks that everything a page of the first run received is in the data of the second run. */
function compareLives(life: Lines, after: Lines): Seen {
  const messages = new Map<string, ChatMessage>()
  for (const branch of (after.get('conversation') ?? []) as ChatMessage[][])
    for (const message of branch) messages.set(message.id, message)
  for (const { id, state } of messages.values())
    if (state === 'running') throw new Error(`the answer ${id} still runs`)
  const lost: string[] = []

  for (const { questionId, text } of (life.get('asked') ?? []) as {
    questionId: string
    text: string
  }[]) {
    const question = messages.get(questionId)
    if (question?.text !== text) lost.push(`the question ${text}`)
  }
  const drafts = (after.get('draft') ?? []) as readonly string[]
  const there = new Set([...messages.values()].map(({ text }) => text))
  const written = (life.get('written') ?? []) as readonly string[]
  // Of an edited text, only the last version counts.
  const last = new Map(written.map((text) => [text.slice(text.lastIndexOf(' ')), text]))
  for (const text of last.values())
    if (!there.has(text) && !drafts.some((draft) => draft.includes(text))) {
      // The edit may have been saved without being reported.
      const other = text.replace('thought', 'other words')
      if (!there.has(other)) lost.push(text)
    }
  const seen = (life.get('seen') ?? []) as { answerId: string; batch: EventBatch }[]
  let events = 0
  let cut = 0
  for (const [answerId, batches] of Map.groupBy(seen, (one) => one.answerId)) {
    const answer = messages.get(answerId)
    if (!answer) {
      lost.push(`the answer ${answerId}`)
      continue
    }
    const inOrder = batches.map(({ batch }) => batch).toSorted((a, b) => a.first - b.first)
    let next = 0
    let soFar = emptyAnswer
    for (const { first, count, json } of inOrder) {
      // A page that joined may receive a batch twice.
      if (first + count <= next) continue
      if (first !== next) throw new Error(`events from ${next} to ${first} were not told`)
      soFar = (JSON.parse(json) as AnswerEvent[]).reduce(foldAnswer, soFar)
      next = first + count
    }
    events += next
    if (!answer.text.startsWith(soFar.text))
      lost.push(`saw ${JSON.stringify(soFar.text)}, kept ${JSON.stringify(answer.text)}`)
    for (const [at, step] of soFar.steps.entries()) {
      const saved = answer.steps[at]
      if (saved?.kind !== step.kind) lost.push(`a step: ${JSON.stringify(step)}`)
      else if ('text' in step && 'text' in saved && !saved.text.startsWith(step.text))
        lost.push(`thoughts: ${JSON.stringify(step)}`)
    }
    if (answer.state === 'broken') {
      cut += 1
      if (answer.error?.code !== 'LEFT_UNFINISHED')
        throw new Error('a broken answer does not say why')
    } else if (answer.state !== 'done') throw new Error(`an answer is ${answer.state}`)
  }
  const queued = [...messages.values()].filter(({ state }) => state === 'queued').length
  const count = written.length + (life.get('asked') ?? []).length
  return { cut, events, queued, written: count, lost }
}

const program = fileURLToPath(new URL('./chat-child.ts', import.meta.url))

/** Runs the app once and kills it after a time from its first question, its first event or its start; null: after its last output. */
async function live(
  args: readonly string[],
  kill: { readonly from: 'asked' | 'seen' | 'start'; readonly afterMs: number } | null,
): Promise<Lines> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let wrong = ''
  let timer: NodeJS.Timeout | undefined
  const end = (): void => void (timer ??= setTimeout(() => child.kill('SIGKILL'), kill?.afterMs))
  if (kill?.from === 'start') end()
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
    if (kill && output.includes(`\n${kill.from} `)) end()
    if (kill === null && /^looked /m.test(output)) child.kill('SIGKILL')
  })
  child.stderr.on('data', (chunk: Buffer) => (wrong += chunk.toString()))
  await once(child, 'close')
  clearTimeout(timer)
  if (child.signalCode !== 'SIGKILL') throw new Error(`the app ended by itself: ${wrong}`)
  const lines = output.split('\n').slice(0, -1)
  return new Map(
    [...Map.groupBy(lines, (line) => line.slice(0, line.indexOf(' ')))].map(([name, list]) => [
      name,
      list.map((line) => JSON.parse(line.slice(name.length + 1)) as unknown),
    ]),
  )
}

/** `npm run crash-tests -- chat`. */
export const crashTest = {
  name: 'chat',
  async run(given: CrashTestArguments): Promise<void> {
    console.log(JSON.stringify(await crashTestChat({ ...given, log: console.log })))
  },
}
