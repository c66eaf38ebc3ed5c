import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../../src/main/provider-client/index.ts'
import { operations } from '../../src/main/operations/index.ts'
import { AppError, toFailure } from '../../src/main/errors.ts'
import { limits, limitsWith } from '../../src/shared/provider/limits.ts'
import { presets } from '../../src/shared/provider/profiles.ts'
import { startScriptedServer } from '../fixtures/scripted-server.ts'
import type { ScriptedReply, ScriptedServer } from '../fixtures/scripted-server.ts'
import { faults, streamFaults } from './faults.ts'
import { readRequest } from './reader.ts'
import type { Kit, Row, Run } from './row.ts'
import { valueOf } from './row.ts'
import { rows } from './rows/index.ts'
import { codes, limitsOfSpec, sections, wires } from './spec.ts'
import { printTable, type Column } from './table.ts'

const key = '0123456789abcdef.secret-of-the-conformance'
const base = '/api'
let server: ScriptedServer
let folder: string
let kit: Kit
let hasty: Readonly<Record<keyof typeof impatient, Kit>>
let dead: string
/** Number of passed checks, by row and column. */
const passed = new Map<string, Map<Column, number>>()
const count = (row: Row, column: Column): void => {
  const columns = passed.get(row.name) ?? new Map<Column, number>()
  passed.set(row.name, columns.set(column, (columns.get(column) ?? 0) + 1))
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-conformance-'))
  server = await startScriptedServer()
  const gone = await startScriptedServer()
  dead = `${gone.url}${base}`
  await gone.close()
  kit = makeKit(() => `${server.url}${base}`, patient)
  const hurried = (moment: keyof typeof impatient): Kit =>
    makeKit(() => `${server.url}${base}`, impatient[moment])
  hasty = { head: hurried('head'), body: hurried('body'), thought: hurried('thought') }
})
afterAll(async () => {
  await kit.api.close()
  for (const { api } of Object.values(hasty)) await api.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
  printTable(rows, passed)
})

/** Limits for servers that respond: a busy machine may be slow. */
const patient = { replyMs: 60_000, idleMs: 60_000 }
/** Limits for silent servers, by when they become silent; thinking operations may pause as long as for the response header. */
const impatient = {
  head: { ...patient, replyMs: 300 },
  body: { ...patient, idleMs: 300 },
  thought: { replyMs: 5000, idleMs: 300 },
} as const

let files = 0
function makeKit(baseUrl: () => string, waits: { replyMs: number; idleMs: number }): Kit {
  const api = createApi(
    {
      clock: Date.now,
      ids: () => 'request-made',
      record() {},
      proxyFor: async () => null,
      extraCa: async () => [],
    },
    {
      random: () => 0.5,
      sleep: async () => {},
      connectTimeoutMs: 60_000,
      shortCall: waits,
      longCall: waits,
    },
  )
  const file: Kit['file'] = (name, bytes, mime = 'audio/wav') => {
    const path = join(folder, `${(files += 1)}-${name}`)
    writeFileSync(path, Buffer.alloc(bytes, 'x'))
    return { path, bytes, name, mime }
  }
  return {
    api,
    file,
    audio: (more) => ({
      ...file('talk.wav', more?.bytes ?? 1000),
      mime: 'audio/wav',
      seconds: 3,
      ...more,
    }),
    out: (name) => join(folder, `${(files += 1)}-${name}`),
    target(more) {
      const profile = { ...presets.bigmodel, ...more }
      return {
        accountId: 'a',
        accountName: 'Test',
        baseUrl: baseUrl(),
        key,
        profile,
        limits: limitsWith(profile.limits),
      }
    },
  }
}

/** Makes one call against a server that always returns one scripted response. */
async function called(
  run: Run,
  reply: ScriptedReply,
  on: Kit = kit,
  at = server,
): Promise<unknown> {
  at.requests.length = 0
  at.always(reply)
  return run(on, { requestId: 'request-0001' })
}

async function failure(
  run: Run,
  reply: ScriptedReply,
  on?: Kit,
  at?: ScriptedServer,
): Promise<AppError> {
  const outcome = await called(run, reply, on, at).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof AppError) return outcome
  throw new Error('The call did not fail as it must', { cause: outcome })
}

/** Returns the same kit with another base URL. */
const aimed = (on: Kit, baseUrl: string): Kit => ({
  ...on,
  target: (more) => ({ ...on.target(more), baseUrl }),
})

const fitting = (row: Row) => faults.filter((fault) => !fault.without?.(row))

const wireOf = (row: Row) => {
  const wire = wires[row.name]
  if (!wire) throw new Error(`${row.name} is in no table of the spec`)
  return wire
}
const sent = () => {
  const [first] = server.requests
  if (!first) throw new Error('nothing was sent')
  return first
}
const textsOf = (parts: readonly { name: string; filename: string | null; bytes: Buffer }[]) =>
  parts
    .filter((part) => part.filename === null)
    .map(({ name, bytes }) => [name, bytes.toString('utf8')])

/** Operations that consist of others: their calls are those of the named row. */
const madeOfOthers: Readonly<Record<string, string>> = {
  'embeddings.createMany': 'embeddings.create',
  'tasks.wait': 'tasks.get',
}

test('has a row for every operation and a table for every row and section of the API reference', () => {
  expect(rows.map((row) => row.name).toSorted()).toEqual(Object.keys(wires).toSorted())
  const tested = new Set(rows.map((row) => row.name.split(' ')[0]))
  expect(Object.keys(operations).filter((name) => !tested.has(madeOfOthers[name] ?? name))).toEqual(
    [],
  )
  const covered = new Set(rows.map((row) => wireOf(row).section))
  expect(sections.filter((section) => !covered.has(section))).toEqual([])
})

test('checks the limits of the API reference', () => {
  const held: unknown = limits
  expect(held).toMatchObject(limitsOfSpec)
})

describe.each(rows.map((row) => [row.name, row] as const))('%s', (_, row) => {
  test('builds the exact request', async () => {
    await called(row.run, row.happy.reply)
    expect(server.requests.length, 'requests').toBe(1)
    const parsed = readRequest(sent(), wireOf(row), base, key)
    expect(parsed.problems).toEqual([])
    expect(sent().url).toBe(base + row.url)
    if (row.json !== undefined) expect(parsed.json).toEqual(row.json)
    if (row.texts) expect(textsOf(parsed.parts)).toEqual(row.texts)
    row.check?.(sent(), parsed, kit)
    count(row, 'request')
  })

  test.each([row.happy, ...row.odd].map((each) => [each.name, each] as const))(
    'handles response: %s',
    async (__, each) => {
      const value = valueOf(await called(each.run ?? row.run, each.reply))
      expect(value).toEqual(matching(each.value))
      count(row, 'replies')
    },
  )

  test('handles both failure bodies and every code of service-notes 14', async () => {
    for (const [meaning, list] of Object.entries(codes))
      for (const code of list)
        for (const body of [
          { error: { code, message: 'said so' } },
          { code: /^\d+$/.test(code) ? Number(code) : code, message: 'said so' },
        ]) {
          const error = await failure(row.run, { status: 400, body: JSON.stringify(body) })
          expect([code, error.code]).toEqual([code, meaning])
          expect(error.service?.message).toBe('said so')
          count(row, 'codes')
        }
  })

  const reported = fitting(row).filter((fault) => !fault.silent)
  test.each(reported.map((fault) => [fault.name, fault] as const))(
    'handles fault: %s',
    async (__, fault) => {
      const reply = fault.reply(row.happy.reply, row)
      const error = await failure(row.run, reply ?? {}, reply === null ? aimed(kit, dead) : kit)
      expect(error.code).toBe(fault.code(row))
      expect(JSON.stringify(toFailure(error, 0))).not.toContain(key)
      const isRefused = row.turn === true && reply?.status === 429
      if (isRefused) expect(server.requests.length, 'a turn is retried after the pause').toBe(4)
      else if (row.creating && reply !== null)
        expect(server.requests.length, 'a creating request is sent once').toBe(1)
      count(row, 'faults')
    },
  )

  test('parses a reply that arrives in single bytes', async () => {
    const { reply } = row.happy
    const splitAt = Array.from(
      { length: Math.min(400, Buffer.byteLength(reply.body ?? '')) },
      (___, i) => i,
    )
    const value = valueOf(await called(row.run, { ...reply, splitAt }))
    expect(value).toEqual(matching(row.happy.value))
  })

  test('reports CANCELLED when stopped immediately', async () => {
    const stop = new AbortController()
    server.always({ ...row.happy.reply, delayMs: 1000 })
    const call = row.run(kit, { requestId: 'request-0001', signal: stop.signal })
    setTimeout(() => stop.abort(), 50)
    await expect(call).rejects.toMatchObject({ code: 'CANCELLED' })
  })
})

const silences = rows.flatMap((row) =>
  fitting(row).flatMap((fault) =>
    fault.silent ? [[row.name, fault.name, row, fault, fault.silent] as const] : [],
  ),
)

// These tests wait for silence: each has its own server, so that they run concurrently.
test.concurrent.each(silences)('%s, handles fault: %s', async (_, __, row, fault, moment) => {
  const own = await startScriptedServer()
  try {
    const on = hasty[moment === 'body' && row.thinks ? 'thought' : moment]
    const reply = fault.reply(row.happy.reply, row) ?? {}
    const error = await failure(row.run, reply, aimed(on, `${own.url}${base}`), own)
    expect(error.code).toBe(fault.code(row))
    expect(JSON.stringify(toFailure(error, 0))).not.toContain(key)
    if (row.creating) expect(own.requests.length, 'a creating request is sent once').toBe(1)
    count(row, 'faults')
  } finally {
    await own.close()
  }
})

describe.each(rows.filter((row) => row.limits.length > 0).map((row) => [row.name, row] as const))(
  '%s',
  (_, row) => {
    test.each(row.limits.map((limit) => [limit.what, limit] as const))(
      'enforces limit: %s',
      async (__, limit) => {
        const inside = await called(limit.edge, row.happy.reply).catch((error: unknown) => error)
        if (inside instanceof AppError)
          expect(inside.code, 'the scripted response may not match').toBe('MALFORMED_REPLY')
        expect(server.requests.length, 'sent at the limit').toBe(1)
        expect(readRequest(sent(), wireOf(row), base, key).problems).toEqual([])
        const error = await failure(limit.over, row.happy.reply)
        expect(error.code).toBe(limit.code ?? 'LIMIT_EXCEEDED')
        expect(server.requests.length, 'not sent beyond the limit').toBe(0)
        if (limit.limit !== undefined) expect(error.params).toMatchObject({ limit: limit.limit })
        if (limit.value !== undefined) expect(error.params).toMatchObject({ value: limit.value })
        expect(
          error.params?.['what'] ?? error.params?.['name'],
          'the error names the field',
        ).toBeTruthy()
        count(row, 'limits')
      },
    )
  },
)

const streaming = rows.flatMap((row) => (row.stream ? [[row.name, row, row.stream] as const] : []))

describe.each(streaming)('%s', (_, row, stream) => {
  test.each(streamFaults.map((fault) => [fault.name, fault] as const))(
    'handles stream: %s',
    async (__, fault) => {
      const reply = {
        headers: { 'content-type': 'text/event-stream' },
        body: stream.half + fault.tail,
      }
      const error = await failure(row.run, reply)
      expect(error.code).toBe(fault.code)
      expect((error as AppError & { partial?: unknown }).partial).toMatchObject(
        stream.partial as object,
      )
      expect(server.requests.length, 'streamed text is never requested again').toBe(1)
      count(row, 'faults')
    },
  )
})

/** Returns a matcher for the value that allows other fields. */
function matching(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : value.map(matching)
  if (ArrayBuffer.isView(value) || typeof value !== 'object' || value === null) return value
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, matching(each)])),
  )
}
