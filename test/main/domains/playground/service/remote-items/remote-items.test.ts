import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { RemoteItem } from '../../../../../../src/shared/model/remote-item.ts'
import type { ServiceTarget } from '../../../../../../src/main/provider-client/types.ts'
import { AppError } from '../../../../../../src/main/errors.ts'
import {
  createRemoteItems,
  type RemoteItems,
} from '../../../../../../src/main/domains/playground/service/remote-items/remote-items.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { localAccountId } from '../../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { apiSetup } from '../../../../provider-client/support.ts'
import { observedQueue, type PlannedWork } from '../../../../work-queue/observed-queue.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'

const reply = (value: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const response = (status: string, text: string | null) => ({
  id: 'resp-1',
  object: 'response',
  status,
  model: 'gen-5',
  instructions: 'Be short.',
  output: text === null ? [] : [{ type: 'message', content: { type: 'output_text', text } }],
})

/** Remote items over a real store and client, with a clock and timers that the test moves. */
async function setup() {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const at = {
    now: Date.UTC(2026, 0, 1),
    timers: [] as PlannedWork[],
    reported: [] as RemoteItem[],
    dropped: [] as string[],
    target: (): ServiceTarget => target(),
    store: undefined as unknown as Store,
    remoteItems: undefined as unknown as RemoteItems,
  }
  let serial = 0
  const { workQueue } = observedQueue(() => at.now, memoryLog(), at.timers)
  const open = async (): Promise<void> => {
    const store = await openStore({ ...storeOptions(home), clock: () => at.now })
    at.store = store
    at.remoteItems = createRemoteItems({
      store,
      api,
      accounts: { target: async () => at.target() },
      savedFiles: {
        want: (...wanted) => store.savedFiles.want(...wanted),
        kick: () => undefined,
        drop: async (ids) => void at.dropped.push(...ids),
      },
      clock: () => at.now,
      ids: () => `id-${(serial += 1)}`,
      log: memoryLog(),
      mask: (text) => text,
      random: () => 0.5,
      workQueue,
      emit(event) {
        if (event.type === 'remoteItem.changed') at.reported.push(event.remoteItem)
      },
      activeAccountId: () => localAccountId,
    })
  }
  await open()
  const close = async (): Promise<void> => {
    await at.remoteItems.shutdown()
    await at.store.close()
  }
  onTestFinished(async () => {
    await close()
    remove()
  })
  return Object.assign(at, {
    server,
    /** Waits for at least the given number of notifications. */
    whenReported: (times: number) =>
      eventually(() => expect(at.reported.length).toBeGreaterThanOrEqual(times)),
    /** Moves the clock to the next timer and runs it; returns the milliseconds that passed. */
    async tick(): Promise<number> {
      await setImmediate()
      const timer = at.timers.shift()
      if (!timer) throw new Error('nothing is planned')
      const moved = Math.max(0, timer.at - at.now)
      at.now += moved
      timer.work()
      return moved
    },
    async restart(): Promise<void> {
      await close()
      at.timers.length = 0
      await open()
    },
  })
}
const fetch = (remoteItems: RemoteItems) =>
  remoteItems.fetch({ kind: 'response', remoteId: 'resp-1' })

test('polls a running item with growing pauses, across a restart; keeps differing snapshots', async () => {
  const at = await setup()
  at.server.always(reply(response('in_progress', null)))
  const { id } = fetch(at.remoteItems)
  await at.whenReported(2)
  const pauses: number[] = []
  for (let n = 3; n < 9; n++) {
    pauses.push(await at.tick())
    await at.whenReported(n)
  }
  expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses)
  expect(pauses.at(-1)).toBeGreaterThan(3 * (pauses[0] ?? 0))
  expect(at.remoteItems.get('response', id).versions).toHaveLength(1)
  await at.restart()
  at.remoteItems.resume()
  at.server.always(reply(response('completed', 'It is over.')))
  at.reported.length = 0
  await at.tick()
  await at.whenReported(1)
  const { item, versions, reply: savedReply } = at.remoteItems.get('response', id)
  expect(item).toMatchObject({ state: 'over', status: 'completed', title: 'It is over.' })
  expect(versions.map(({ number, status }) => [number, status])).toEqual([
    [2, 'completed'],
    [1, 'in_progress'],
  ])
  expect(savedReply?.body).toContain('It is over.')
  expect(at.remoteItems.get('response', id, 1).reply?.body).toContain('in_progress')
  expect(at.timers).toEqual([])
})

test('keeps snapshots when the provider no longer has the item, and throws its failure', async () => {
  const at = await setup()
  at.server.always(reply(response('completed', 'Kept.')))
  const { id } = fetch(at.remoteItems)
  await at.whenReported(2)
  at.server.always(reply({ error: { code: 'invalid_request', message: 'Gone' } }, 404))
  await expect(at.remoteItems.refresh('response', id)).rejects.toMatchObject({
    code: 'SERVICE_NOT_FOUND',
  })
  expect(at.remoteItems.get('response', id).item).toMatchObject({ state: 'over', error: null })
})

test('an unknown ID needs the user; without a key it waits until the account is usable', async () => {
  const at = await setup()
  at.server.always(reply({ error: { code: 'invalid_request', message: 'No such' } }, 404))
  const { id } = fetch(at.remoteItems)
  await at.whenReported(2)
  expect(at.remoteItems.get('response', id).item).toMatchObject({ state: 'refused', versions: 0 })
  const defaultTarget = at.target
  at.target = () => {
    throw new AppError('NO_KEY', 'No key')
  }
  at.remoteItems.fetch({ kind: 'response', remoteId: 'resp-2' })
  await at.whenReported(4)
  expect(at.reported.at(-1)).toMatchObject({ state: 'waiting', nextPollAt: null })
  at.target = defaultTarget
  at.server.always(reply({ ...response('completed', 'Two.'), id: 'resp-2' }))
  at.remoteItems.accountReady(localAccountId)
  await at.whenReported(5)
  expect(at.reported.at(-1)).toMatchObject({ state: 'over', title: 'Two.' })
})

test('searches lists by content, ID and model, character by character; keeps a user-given name', async () => {
  const at = await setup()
  at.server.always(reply(response('completed', '# 蜜蜂 100 % of_it')))
  const { id } = fetch(at.remoteItems)
  await at.whenReported(2)
  const found = (query: string) =>
    at.remoteItems.list({ kind: 'response', query, before: null, limit: 10 }).items.length
  for (const query of ['蜜蜂', 'resp-1', 'GEN-5', '100 %', 'of_it', 'be short'])
    expect(found(query), query).toBe(1)
  for (const query of ['ofXit', '100 x', 'nothing']) expect(found(query), query).toBe(0)
  expect(at.remoteItems.list({ kind: 'slides', query: '', before: null, limit: 9 }).items).toEqual(
    [],
  )
  at.remoteItems.rename('response', id, 'Mine')
  at.server.always(reply(response('completed', 'Other words')))
  await at.remoteItems.refresh('response', id)
  expect(at.remoteItems.get('response', id).item.title).toBe('Mine')
})

test('restores a removed item completely; after thirty days deletes it with responses and files', async () => {
  const at = await setup()
  at.server.always(
    reply({
      conversation_id: 'c-1',
      choices: [
        {
          message: [
            {
              role: 'assistant',
              content: [
                { type: 'image_url', image_url: 'https://x.test/1.png' },
                { type: 'file_url', file_url: 'https://x.test/deck.pptx' },
              ],
            },
          ],
        },
      ],
    }),
  )
  const { id } = at.remoteItems.fetch({
    kind: 'slides',
    remoteId: 'c-1',
    asked: { includePdf: true },
  })
  await at.whenReported(2)
  expect(JSON.parse(String(at.server.requests.at(-1)?.body))).toMatchObject({
    conversation_id: 'c-1',
    custom_variables: { include_pdf: true },
  })
  expect(at.store.savedFiles.of(`${id}/1`).map(({ role, name }) => [role, name])).toEqual([
    ['page', '1.png'],
    ['file', 'deck.pptx'],
  ])
  await at.remoteItems.remove('slides', id)
  expect(() => at.remoteItems.get('slides', id)).toThrow('Saved item not found')
  expect(at.remoteItems.restore('slides', id)).toMatchObject({ versions: 1 })
  await at.remoteItems.remove('slides', id)
  at.store.remoteItems.purge(at.now + 1)
  expect(() => at.remoteItems.restore('slides', id)).toThrow('Saved item not found')
  expect(at.store.savedFiles.of(`${id}/1`)).toEqual([])
})

test('treats a 200 that reports a failure as a failure', async () => {
  const at = await setup()
  const error = { code: '1214', message: 'There is no such conversation' }
  at.server.always(reply({ conversation_id: 'c', status: 'failed', error }))
  at.remoteItems.fetch({ kind: 'slides', remoteId: 'c' })
  await at.whenReported(2)
  expect(at.reported.at(-1)).toMatchObject({
    state: 'refused',
    error: { service: { code: '1214' } },
  })
})

test('keeps only the newest snapshot while an item is running', async () => {
  const at = await setup()
  at.server.always(() => reply(response('in_progress', `${at.server.requests.length} words`)))
  const { id } = at.remoteItems.fetch({ kind: 'response', remoteId: 'resp-1' })
  for (let times = 1; times <= 5; times++) {
    await eventually(() => expect(at.remoteItems.get('response', id).item.attempts).toBe(times))
    await at.tick()
  }
  await eventually(() => expect(at.remoteItems.get('response', id).item.attempts).toBe(6))
  const { versions, reply: newest } = at.remoteItems.get('response', id)
  expect(versions.map(({ number }) => number)).toEqual([1])
  expect(newest?.body).toContain('6 words')
  at.server.always(reply(response('completed', 'All of it')))
  await at.tick()
  await eventually(() => expect(at.remoteItems.get('response', id).versions).toHaveLength(2))
})

const conversation = (sign: string, extra: object = {}) =>
  reply({
    conversation_id: 'c-1',
    request_id: `req-${sign}`,
    choices: [
      {
        message: [
          {
            role: 'assistant',
            content: [
              {
                type: 'image_url',
                image_url: `https://x.test/1.png?page=1&X-Amz-Signature=${sign}`,
              },
              { type: 'image_url', image_url: `https://x.test/2.png?Expires=${sign}` },
            ],
          },
        ],
      },
    ],
    ...extra,
  })

test('ignores volatile fields when comparing snapshots, and updates file URLs', async () => {
  const at = await setup()
  at.server.always(conversation('1'))
  const { id } = at.remoteItems.fetch({ kind: 'slides', remoteId: 'c-1' })
  await at.whenReported(2)
  const [first] = at.store.savedFiles.waiting(at.now, 9)
  if (!first) throw new Error('nothing is wanted')
  at.store.media.put({
    id: 'm1',
    sha256: 'a'.repeat(64),
    mime: 'image/png',
    bytes: 1,
    name: 'x',
    duration: null,
    createdAt: at.now,
  })
  at.store.savedFiles.put(first, 'm1')
  at.server.always(conversation('2'))
  await at.remoteItems.refresh('slides', id)
  expect(at.remoteItems.get('slides', id).versions).toHaveLength(1)
  expect(at.remoteItems.get('slides', id).reply?.body).toContain('Expires=2')
  expect(at.store.savedFiles.of(`${id}/1`).map(({ state, address }) => [state, address])).toEqual([
    ['kept', 'https://x.test/1.png?page=1&X-Amz-Signature=2'],
    ['waiting', 'https://x.test/2.png?Expires=2'],
  ])
  at.server.always(conversation('3', { error: null, note: 'changed' }))
  await at.remoteItems.refresh('slides', id)
  expect(at.remoteItems.get('slides', id).versions).toHaveLength(2)
})

test('limits versions if each response differs: keeps the first and the newest', async () => {
  const at = await setup()
  at.server.always(reply(response('completed', 'Number 0')))
  const { id } = fetch(at.remoteItems)
  await at.whenReported(2)
  for (let n = 1; n <= 55; n++) {
    at.server.always(reply(response('completed', `Number ${n}`)))
    await at.remoteItems.refresh('response', id)
  }
  const { versions, item } = at.remoteItems.get('response', id)
  expect([versions.length, item.versions]).toEqual([50, 50])
  expect([versions[0]?.number, versions.at(-2)?.number, versions.at(-1)?.number]).toEqual([
    56, 8, 1,
  ])
  expect(at.remoteItems.get('response', id, 1).reply?.body).toContain('Number 0')
  expect(() => at.remoteItems.get('response', id, 2)).toThrow('Version not found')
})
