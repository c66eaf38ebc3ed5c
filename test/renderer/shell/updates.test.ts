import { describe, expect, test } from 'vitest'
import { useUpdates } from '../../../src/renderer/src/shell/updates/updates-store.ts'
import { en } from '../../../src/renderer/src/i18n/en/index.ts'
import { zh } from '../../../src/renderer/src/i18n/zh/index.ts'
import { updateFaults, type UpdateState } from '../../../src/shared/model/updates.ts'
import { rendererSetup } from '../stores.ts'

const base: UpdateState = {
  stage: 'available',
  support: { mode: 'restart' },
  version: '0.1.0',
  checkedAt: 1,
  update: {
    version: '0.2.0',
    releasedAt: 1,
    size: 1000,
    notes: { en: 'News', zh: '新内容' },
    quiet: false,
  },
  progress: null,
  failure: null,
  recording: false,
  rollBack: null,
  downloadPage: '',
}
const failed = (step: NonNullable<UpdateState['failure']>['step']): UpdateState => ({
  ...base,
  stage: 'failed',
  failure: { step, fault: 'offline', detail: '', at: 1 },
})

/** Returns a store with a main in this state that answers every request with it. */
async function open(state: UpdateState) {
  const { main, run, settle } = rendererSetup()
  for (const action of ['state', 'check', 'download', 'cancel', 'install', 'rollBack'])
    main.answer(`updates.${action}`, () => state)
  const store = run(() => useUpdates())
  await run(() => store.load())
  const emitState = (next: UpdateState): void => main.app({ type: 'updates.changed', state: next })
  const requestedRoutes = (): string[] =>
    main.requests.map(({ route }) => route).filter((route) => route !== 'updates.state')
  return { store, main, settle, emitState, requestedRoutes }
}

describe('update notice', () => {
  test.each(['available', 'downloading', 'ready', 'installing'] as const)(
    'shows a version that is %s',
    async (stage) => {
      const { store } = await open({ ...base, stage })
      expect(store.isNoticed).toBe(true)
    },
  )

  test.each([
    ['nothing was checked', { stage: 'idle', update: null }],
    ['mirrors are being checked', { stage: 'checking' }],
    ['a failed check is shown in Settings', failed('check')],
  ] as const)('is hidden while %s', async (_name, some) => {
    const { store } = await open({ ...base, ...some })
    expect(store.isNoticed).toBe(false)
  })

  test('is hidden for a version the user rolled back from', async () => {
    const { store } = await open({
      ...base,
      update: base.update && { ...base.update, quiet: true },
    })
    expect(store.isNoticed).toBe(false)
  })

  test('returns after being postponed with the next step, and with another version', async () => {
    const { store, emitState } = await open(base)
    store.later()
    expect(store.isNoticed).toBe(false)
    emitState({ ...base, progress: null })
    expect(store.isNoticed).toBe(false)
    emitState({ ...base, stage: 'ready' })
    expect(store.isNoticed).toBe(true)
    store.later()
    emitState({ ...base, update: base.update && { ...base.update, version: '0.3.0' } })
    expect(store.isNoticed).toBe(true)
  })

  test('reports a failed rollback even without a new version', async () => {
    const { store } = await open({ ...failed('roll-back'), update: null })
    expect(store.isNoticed).toBe(true)
  })
})

test.each([
  ['check', 'updates.check'],
  ['download', 'updates.download'],
  ['install', 'updates.install'],
  ['roll-back', 'updates.rollBack'],
] as const)('retries after a failed %s with %s', async (step, route) => {
  const { store, requestedRoutes } = await open(failed(step))
  await store.retry()
  expect(requestedRoutes()).toEqual([route])
})

test('starts with a check after an installation failed without a known package', async () => {
  const { store, requestedRoutes } = await open({ ...failed('install'), update: null })
  await store.retry()
  expect(requestedRoutes()).toEqual(['updates.check'])
})

test('reports a request that main rejects', async () => {
  const refused = { code: 'WORK_UNDER_WAY', message: 'x', retriable: true, at: 1 } as const
  const { main, run } = rendererSetup({ fail: { 'updates.install': refused } })
  main.answer('updates.state', () => ({ ...base, stage: 'ready' }))
  const store = run(() => useUpdates())
  await store.load()
  await store.act('updates.install')
  expect(store.refusal).toEqual(refused)
  expect(store.state?.stage).toBe('ready')
})

test.each(updateFaults)('explains %s in both languages, with an action', (fault) => {
  for (const catalog of [en, zh]) {
    const words = catalog.updates.fault[fault]
    expect(words.length).toBeGreaterThan(8)
    expect(words).toMatch(/[.。]$/)
  }
})
