import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createRedactor } from '../../../../../../src/main/platform/security/redact.ts'
import { execute } from '../../../../../../src/main/domains/playground/service/runs/execute.ts'
import type {
  ExecuteDeps,
  Started,
} from '../../../../../../src/main/domains/playground/service/runs/execute.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import { shownUnits } from '../../../../../../src/shared/chats/shown-answer.ts'
import type { RunSummary } from '../../../../../../src/shared/model/run.ts'
import { unsavedReplies } from '../../../../platform/database/full-store.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'

test('a run whose value cannot be written ends as failed, and reports it', async () => {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  onTestFinished(async () => {
    await store.close()
    remove()
  })
  const run = {
    id: 'r1',
    accountId: 'this-computer',
    accountName: 'This computer',
    operation: 'rerank.create',
    title: 't',
    streamId: 'stream-1',
    input: {},
    mediaIds: [],
    at: 1,
  }
  store.runs.create(run)
  const endless: Record<string, unknown> = {}
  endless['itself'] = endless
  const reported: RunSummary[] = []
  const ends: unknown[] = []
  const deps = {
    store,
    accounts: { target: async () => ({}) },
    clock: () => 2,
    log: memoryLog(),
    mask: (text: string) => text,
    openEnd: () => 0,
    keep: unsavedReplies().keep,
    closing: new AbortController().signal,
    onRun: (summary: RunSummary) => void reported.push(summary),
  } as unknown as ExecuteDeps
  const started = {
    run,
    operation: {
      run: async () => ({
        value: endless,
        requestId: 'q',
        usage: null,
        raw: null,
        engine: null,
        notice: null,
      }),
    },
    writer: { events() {}, end() {}, fail: (failure: unknown) => void ends.push(failure) },
    folder: `${home}/runs/r1`,
  } as unknown as Started
  await expect(execute(deps, started, new AbortController().signal)).rejects.toThrow(/circular/)
  expect(store.runs.get('r1')).toMatchObject({ state: 'failed', error: { code: 'INTERNAL' } })
  expect(reported).toMatchObject([{ id: 'r1', state: 'failed' }])
  expect(ends).toMatchObject([{ code: 'INTERNAL' }])
})

test('a long value truncated within a key contains no part of the key', async () => {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  onTestFinished(async () => {
    await store.close()
    remove()
  })
  const run = {
    id: 'r1',
    accountId: 'this-computer',
    accountName: 'This computer',
    operation: 'agents.chat',
    title: 't',
    streamId: 'stream-1',
    input: {},
    mediaIds: [],
    at: 1,
  }
  store.runs.create(run)
  const secret = 'secret-0123456789-0123456789'
  const redactor = createRedactor()
  redactor.register(secret)
  const deps = {
    store,
    accounts: { target: async () => ({}) },
    clock: () => 2,
    log: memoryLog(),
    mask: (text: string) => redactor.maskKnown(text),
    openEnd: (text: string) => redactor.openEnd(text),
    files: {},
    keep: unsavedReplies().keep,
    closing: new AbortController().signal,
    onRun: () => undefined,
  } as unknown as ExecuteDeps
  const name = 'text'
  const text = `${'x'.repeat(shownUnits.steps - name.length - 20)}${secret}`
  const answer = { requestId: 'q', usage: null, raw: null, engine: null, notice: null }
  const started = {
    run,
    operation: { run: async () => ({ value: { [name]: text }, ...answer }) },
    writer: { events() {}, end() {}, fail() {} },
    folder: `${home}/runs/r1`,
  } as unknown as Started
  await execute(deps, started, new AbortController().signal)
  const db = new Database(join(home, 'library.db'), { readonly: true })
  const value = db.prepare<[], string>('SELECT value FROM run_results').pluck().get()
  db.close()
  expect(value?.slice(-20)).toMatch(/xx\[redacted\]"\}$/)
  expect(value).not.toContain('secret-')
})
