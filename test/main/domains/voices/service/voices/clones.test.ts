import { expect, test } from 'vitest'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import type { SampleReport } from '../../../../../../src/shared/model/sample.ts'
import { AppError } from '../../../../../../src/main/errors.ts'
import {
  createClones,
  type ClonesDeps,
} from '../../../../../../src/main/domains/voices/service/voices/clones.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { createWorkQueue } from '../../../../../../src/main/work-queue/work-queue.ts'
import { temporaryHome, withStore } from '../../../../platform/database/fixture.ts'

const report: SampleReport = {
  durationMs: 8000,
  sampleRate: 24_000,
  bytes: 384_044,
  checks: [],
  peaks: [],
  speech: [],
}

/** A server that clones, as far as the tests need one. */
interface Script {
  clone(): Promise<string>
  upload?(): Promise<void>
  voices(): readonly string[]
}

/** Time that stands still, so that nothing is retried unless a test says so. */
const still = { now: 5, after: (_ms: number, _work: () => void) => () => {} }
/** Time in which the next timer is always due. */
const passing = {
  now: 5,
  after(ms: number, work: () => void) {
    const timer = setTimeout(() => {
      passing.now += ms
      work()
    })
    return () => clearTimeout(timer)
  },
}

function setup(
  store: Store,
  script: Script,
  time: typeof still = still,
  onMade: ClonesDeps['onMade'] = async () => {},
) {
  const sent = { uploads: 0, clones: 0, lists: 0 }
  const answered = <T>(value: T) => ({
    value,
    requestId: 'r',
    engine: null,
    notice: null,
    usage: { prompt: null, completion: null, total: null },
    raw: { status: 200, contentType: 'application/json', body: '{}' },
  })
  const api = {
    files: {
      upload: async () => {
        sent.uploads += 1
        await script.upload?.()
        return answered({ id: 'file-1' })
      },
    },
    voices: {
      clone: async () => {
        sent.clones += 1
        return answered({ voice: await script.clone(), fileId: null, filePurpose: null })
      },
      list: async () => {
        sent.lists += 1
        return answered(
          script.voices().map((name) => ({
            voice: `id-${name}`,
            name,
            type: 'PRIVATE',
            downloadUrl: null,
            createTime: null,
          })),
        )
      },
    },
  } as unknown as ClonesDeps['api']
  let serial = 0
  const clock = (): number => time.now
  const log = { info() {}, warn() {}, error() {} }
  const workQueue = createWorkQueue({
    clock,
    log,
    random: () => 0,
    after: (ms, work) => time.after(ms, work),
  })
  const clones = createClones({
    store,
    api,
    files: { path: async () => '/nowhere' },
    accounts: {
      active: () => ({ id: 'a' }),
      target: async () => ({ accountId: 'a' }),
    } as unknown as ClonesDeps['accounts'],
    clock,
    ids: () => `clone-${++serial}`,
    log,
    workQueue,
    onSample() {},
    onMade,
  })
  return { clones, sent }
}

function newSample(store: Store): void {
  store.accounts.put({
    id: 'a',
    preset: 'custom',
    name: 'Mine',
    profile: presets.custom,
    createdAt: 1,
  })
  const media = {
    id: 'm',
    sha256: 's',
    bytes: 384_044,
    mime: 'audio/wav',
    name: 'm',
    duration: 8,
    createdAt: 1,
  }
  store.media.put(media)
  store.items.create({ id: 's', kind: 'voice', title: 'Ada', mediaId: 'm', at: 1 })
  const version = {
    id: 'v',
    mediaId: 'm',
    parentId: null,
    fix: null,
    durationMs: 8000,
    createdAt: 1,
  }
  store.samples.create('s', { source: { kind: 'recorded' }, language: 'en' }, version, report)
  store.samples.change('s', { consent: { who: 'Ada', whose: 'mine', purpose: 'a test', at: 1 } })
}

const order = { id: 's', voiceName: 'Ada_1', input: 'Hello' }
const cutOff = (): Promise<string> =>
  Promise.reject(
    new AppError('TIMEOUT', 'Too late', { retriable: true, params: { phase: 'reply' } }),
  )

async function inStore(work: (store: Store) => Promise<void>): Promise<void> {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      newSample(store)
      await work(store)
    })
  } finally {
    folder.remove()
  }
}
const state = (store: Store) => store.samples.get('s')?.clones[0]?.state

test('searches the list for a clone whose response was lost, and takes the voice from there', () =>
  inStore(async (store) => {
    const { clones, sent } = setup(store, { clone: cutOff, voices: () => ['Ada_1'] })
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('done')
    expect(store.samples.get('s')?.clones[0]).toMatchObject({ voice: 'id-Ada_1', error: null })
    expect(sent).toEqual({ uploads: 1, clones: 1, lists: 1 })
  }))

test('reports an unknown result if the list lacks it, and does not send it again', () =>
  inStore(async (store) => {
    const { clones, sent } = setup(store, { clone: cutOff, voices: () => [] })
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('unknown')
    clones.resume()
    clones.accountReady('a')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(sent.clones).toBe(1)
    expect(store.samples.get('s')?.clones[0]?.error?.code).toBe('TIMEOUT')
  }))

test('checks for requests that an earlier run sent, and never sends them twice', () =>
  inStore(async (store) => {
    const never = setup(store, { clone: () => new Promise(() => {}), voices: () => [] })
    never.clones.begin(order)
    await expect.poll(() => state(store)).toBe('cloning')
    const { clones, sent } = setup(store, { clone: cutOff, voices: () => ['Other', 'Ada_1'] })
    clones.resume()
    await expect.poll(() => state(store)).toBe('done')
    expect(sent).toEqual({ uploads: 0, clones: 0, lists: 1 })
  }))

test('waits while the provider is unreachable, then continues, uploading the sample once', () =>
  inStore(async (store) => {
    let reachable = false
    const { clones, sent } = setup(store, {
      clone: async () => {
        if (reachable) return 'voice-1'
        throw new AppError('OFFLINE', 'Refused', { retriable: true, params: { reason: 'refused' } })
      },
      voices: () => [],
    })
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('waiting')
    reachable = true
    clones.accountReady('a')
    await expect.poll(() => state(store)).toBe('done')
    expect(sent).toEqual({ uploads: 1, clones: 2, lists: 0 })
  }))

test('repeats a request that the provider refused because of its rate limit', () =>
  inStore(async (store) => {
    let refusals = 0
    const { clones, sent } = setup(
      store,
      {
        clone: async () => {
          if (refusals++ < 7) throw new AppError('RATE_LIMITED', 'Slower', { retriable: true })
          return 'voice-1'
        },
        voices: () => [],
      },
      passing,
    )
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('done')
    expect(sent).toEqual({ uploads: 1, clones: 8, lists: 0 })
  }))

test('does not repeat a request after a server error, whatever the list shows', () =>
  inStore(async (store) => {
    const service = { status: 500, code: '1234' }
    const failing = () =>
      Promise.reject(new AppError('SERVER_ERROR', 'Broken', { retriable: true, service }))
    const { clones, sent } = setup(store, { clone: failing, voices: () => [] }, passing)
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('failed')
    expect(sent).toEqual({ uploads: 1, clones: 1, lists: 1 })
  }))

test('requests the list again until it shows what became of a request', () =>
  inStore(async (store) => {
    let lists = 0
    const voices = (): readonly string[] => {
      if (lists++ < 3) throw new AppError('SERVER_ERROR', 'Broken', { retriable: true })
      return ['Ada_1']
    }
    const { clones, sent } = setup(store, { clone: cutOff, voices }, passing)
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('done')
    expect(sent).toEqual({ uploads: 1, clones: 1, lists: 4 })
  }))

test('sends one clone to an account that rejects it, and shows the reason for all', () =>
  inStore(async (store) => {
    const profile = { ...presets.custom, concurrency: 1 }
    store.accounts.put({ id: 'a', preset: 'custom', name: 'Mine', profile, createdAt: 1 })
    let isFixed = false
    const { clones, sent } = setup(store, {
      clone: async () => {
        if (isFixed) return `voice-${sent.clones}`
        throw new AppError('KEY_REJECTED', 'Wrong key', { service: { status: 401 } })
      },
      voices: () => [],
    })
    clones.begin(order)
    clones.begin({ ...order, voiceName: 'Ada_2' })
    const all = () =>
      store.samples.get('s')?.clones.map((clone) => `${clone.state} ${clone.error?.code}`)
    await expect.poll(all).toEqual(['waiting KEY_REJECTED', 'waiting KEY_REJECTED'])
    expect(sent.clones).toBe(1)
    isFixed = true
    clones.accountReady('a')
    await expect.poll(all).toEqual(['done undefined', 'done undefined'])
    expect(sent).toEqual({ uploads: 2, clones: 3, lists: 0 })
  }))

test('reports a provider refusal in its own words', () =>
  inStore(async (store) => {
    const { clones } = setup(store, {
      clone: () => Promise.reject(new AppError('INVALID_INPUT', 'The name is taken')),
      voices: () => [],
    })
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('failed')
    expect(store.samples.list()[0]?.state).toBe('failed')
  }))

test('does not clone a voice in Trash, and continues when it is restored', () =>
  inStore(async (store) => {
    let reachable = false
    const { clones, sent } = setup(store, {
      clone: async () => {
        if (reachable) return 'voice-1'
        throw new AppError('OFFLINE', 'Refused', { retriable: true, params: { reason: 'refused' } })
      },
      voices: () => [],
    })
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('waiting')
    await clones.forget(['s'])
    store.items.remove(['s'], 6)
    reachable = true
    clones.accountReady('a')
    await expect.poll(() => clones.busy()).toBe(false)
    expect(sent.clones).toBe(1)
    store.items.restore(['s'], 7)
    clones.restored(['s'])
    await expect.poll(() => state(store)).toBe('done')
    expect(sent.clones).toBe(2)
  }))

test('ends the preview of a new voice when everything is erased', () =>
  inStore(async (store) => {
    let preview: AbortSignal | undefined
    const { clones } = setup(
      store,
      { clone: async () => 'voice-1', voices: () => [] },
      still,
      (_clone, signal) =>
        new Promise((resolve) => {
          preview = signal
          signal.addEventListener('abort', () => resolve())
        }),
    )
    clones.begin(order)
    await expect.poll(() => preview !== undefined).toBe(true)
    await clones.stopAll()
    expect(clones.busy()).toBe(false)
    expect(state(store)).toBe('done')
  }))

test('does not transcribe a sample in Trash until it is restored', () =>
  inStore(async (store) => {
    const sample = store.samples.get('s')
    if (!sample) throw new Error('There is no sample')
    store.samples.change('s', { text: { ...sample.text, state: 'hearing' } })
    store.items.remove(['s'], 6)
    expect(store.samples.untranscribed()).toEqual([])
    store.items.restore(['s'], 7)
    expect(store.samples.untranscribed()).toEqual(['s'])
  }))

test('an upload that breaks off repeatedly fails in the end', () =>
  inStore(async (store) => {
    const broken = new AppError('OFFLINE', 'Broke off', {
      retriable: true,
      params: { reason: 'reset' },
    })
    const { clones, sent } = setup(store, {
      clone: async () => 'v',
      voices: () => [],
      upload: () => Promise.reject(broken),
    })
    clones.begin(order)
    for (let tries = 1; tries < 5; tries++) {
      await expect.poll(() => state(store)).toBe('waiting')
      await expect.poll(() => clones.busy()).toBe(false)
      expect(sent.uploads).toBe(tries)
      clones.accountReady('a')
      await expect.poll(() => sent.uploads).toBe(tries + 1)
    }
    await expect.poll(() => state(store)).toBe('failed')
    clones.accountReady('a')
    expect(clones.busy()).toBe(false)
  }))

test('reports a missing model or file as such, not as a provider without voice cloning', () =>
  inStore(async (store) => {
    const service = { status: 404, code: 'model_not_found', message: 'no such model' }
    const { clones } = setup(store, {
      clone: async () => {
        throw new AppError('SERVICE_NOT_FOUND', 'Nothing here', { service })
      },
      voices: () => [],
    })
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('failed')
    expect(store.samples.get('s')?.clones[0]?.error).toMatchObject({
      code: 'SERVICE_NOT_FOUND',
      service,
    })
  }))

test('reports a provider without voice cloning as such, and keeps the sample', () =>
  inStore(async (store) => {
    const { clones } = setup(store, {
      clone: async () => {
        throw new AppError('SERVICE_NOT_FOUND', 'Nothing here', { service: { status: 404 } })
      },
      voices: () => [],
    })
    clones.begin(order)
    await expect.poll(() => state(store)).toBe('failed')
    expect(store.samples.get('s')?.clones[0]?.error).toMatchObject({
      code: 'NOT_IMPLEMENTED',
      params: { problem: 'voiceCloning' },
      service: { status: 404 },
    })
    expect(store.samples.get('s')?.deletedAt).toBeNull()
  }))
