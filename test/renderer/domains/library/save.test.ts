import { expect, test, vi } from 'vitest'
import {
  usePageSave,
  useSave,
} from '../../../../src/renderer/src/domains/library/export/use-save.ts'
import { useSaves } from '../../../../src/renderer/src/domains/library/export/saves-store.ts'
import { useToasts } from '../../../../src/renderer/src/kit/toasts.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const media = 'a'.repeat(26)

test('reports a saved copy by its final name, and shows it in its folder by ID', async () => {
  const { main, run, settle } = rendererSetup()
  const toasts = run(useToasts)
  const { save } = run(() => useSave())
  main.answer('files.save', () => ({ state: 'saved', id: 'save-7', name: 'Chosen.wav' }))
  main.answer('files.reveal', () => ({}))
  expect(await save(media, 'Suggested.wav')).toBe(true)
  expect(main.requests.at(-1)).toEqual({
    route: 'files.save',
    payload: { media, name: 'Suggested.wav', callId: expect.any(String) as string },
  })
  const [toast] = toasts.toasts
  expect([toast?.key, toast?.values]).toEqual(['save.saved', { name: 'Chosen.wav' }])
  // The undo shortcut is for undoable actions.
  expect(toasts.actNewest()).toBe(false)
  toasts.act(toast?.id ?? 0)
  await settle()
  expect(main.requests.at(-1)).toEqual({ route: 'files.reveal', payload: { saved: 'save-7' } })
})

test('saves and reports nothing when the dialog is canceled', async () => {
  const { main, run } = rendererSetup()
  const toasts = run(useToasts)
  const { save, busy, failure: why } = run(() => useSave())
  main.answer('files.save', () => ({ state: 'cancelled' }))
  expect(await save(media, 'a.wav')).toBe(false)
  expect([toasts.toasts.length, busy.value, why.value]).toEqual([0, false, null])
})

test('shows a failure in the panel, or without one in a notice with its reason', async () => {
  const refused = failure('SAVE_FAILED')
  const { run } = rendererSetup({ fail: { 'files.save': refused } })
  const toasts = run(useToasts)
  const panel = run(() => useSave())
  expect(await panel.save(media, 'a.wav')).toBe(false)
  expect(panel.failure.value?.code).toBe('SAVE_FAILED')
  expect(toasts.toasts).toEqual([])
  expect(await run(() => useSave('toast')).save(media, 'a.wav')).toBe(false)
  expect(toasts.toasts.map(({ key, failure: why }) => [key, why?.code])).toEqual([
    ['save.failed', 'SAVE_FAILED'],
  ])
})

test('asks for no location after a failed export, and discards one the user canceled', async () => {
  const { main, run, settle } = rendererSetup()
  const { saveExport, cancel, failure: why } = run(() => useSave())
  const disk = failure('DISK_FULL')
  expect(await saveExport(async () => ({ ok: false, error: disk }))).toBe(false)
  expect(why.value).toEqual(disk)
  let give: () => void = () => {}
  const slow = saveExport(
    () =>
      new Promise((resolve) => {
        give = () => resolve({ ok: true, data: { mediaId: media, name: 'a.md' } })
      }),
  )
  cancel()
  give()
  expect(await slow).toBe(false)
  await settle()
  expect(main.requests.some(({ route }) => route === 'files.save')).toBe(false)
})

test('offers a file that is finished after its dialog was left, until it is saved or dismissed', async () => {
  vi.useFakeTimers()
  const { main, run } = rendererSetup()
  const toasts = run(useToasts)
  const { saveExport, leave, busy } = run(() => useSave())
  main.answer('files.save', () => ({ state: 'saved', id: 'save-1', name: 'a.md' }))
  const written = Promise.withResolvers<{
    readonly ok: true
    readonly data: { readonly mediaId: string; readonly name: string }
  }>()
  const left = saveExport(() => written.promise)
  leave()
  expect(busy.value).toBe(false)
  written.resolve({ ok: true, data: { mediaId: media, name: 'a.md' } })
  expect(await left).toBe(false)
  expect(main.requests.some(({ route }) => route === 'files.save')).toBe(false)
  await vi.advanceTimersByTimeAsync(60_000)
  const [toast] = toasts.toasts
  expect([toast?.key, toast?.values, toast?.action?.key]).toEqual([
    'save.exported',
    { name: 'a.md' },
    'save.now',
  ])
  // Leaving the system's dialog keeps the offer.
  main.answer('files.save', () => ({ state: 'cancelled' }))
  toasts.act(toast?.id ?? 0)
  await vi.advanceTimersByTimeAsync(10)
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['save.exported'])
  main.answer('files.save', () => ({ state: 'saved', id: 'save-1', name: 'a.md' }))
  toasts.act(toasts.toasts[0]?.id ?? 0)
  await vi.advanceTimersByTimeAsync(10)
  expect(main.requests.at(-1)).toMatchObject({ payload: { media, name: 'a.md' } })
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['save.saved'])
  vi.useRealTimers()
})

test('reports an export that fails after its dialog was left', async () => {
  const { run } = rendererSetup()
  const toasts = run(useToasts)
  const { saveExport, leave, failure: why } = run(() => useSave())
  const written = Promise.withResolvers<{
    readonly ok: false
    readonly error: ReturnType<typeof failure>
  }>()
  const left = saveExport(() => written.promise)
  leave()
  written.resolve({ ok: false, error: failure('DISK_FULL') })
  expect(await left).toBe(false)
  expect(why.value).toBeNull()
  expect(toasts.toasts.map(({ key, failure: cause }) => [key, cause?.code])).toEqual([
    ['save.notExported', 'DISK_FULL'],
  ])
})

test('downloads the file itself in a browser tab', async () => {
  const { main, client, run } = rendererSetup()
  const link = { href: '', download: '-', click: vi.fn<() => void>() }
  vi.stubGlobal('document', { createElement: () => link })
  try {
    main.answer('files.save', () => ({ state: 'download', media: 'save-1' }))
    expect(await run(() => useSave()).save(media, 'a.wav')).toBe(true)
  } finally {
    vi.unstubAllGlobals()
  }
  expect(link.click).toHaveBeenCalledOnce()
  expect(link.href).toBe(client.mediaUrl('save-1'))
})

test('saves downloads from a player’s own menu in the same way', async () => {
  const { main, run, settle } = rendererSetup()
  run(usePageSave)
  main.answer('files.save', () => ({ state: 'cancelled' }))
  await settle()
  main.app({ type: 'page.save', media: 'meeting-m1', name: 'Talk.wav' })
  await settle()
  expect(main.requests.at(-1)).toEqual({
    route: 'files.save',
    payload: { media: 'meeting-m1', name: 'Talk.wav', callId: expect.any(String) as string },
  })
})

test('shows a long copy with progress until it ends, and can cancel it', async () => {
  const { main, run, settle } = rendererSetup()
  const saves = run(useSaves)
  const { save } = run(() => useSave())
  const answer = Promise.withResolvers<object>()
  main.answer('files.save', () => answer.promise)
  main.answer('streams.cancel', () => ({ cancelled: true }))
  const saved = save(media, 'long.wav')
  await settle()
  expect(saves.long).toEqual([])
  const request = main.requests.at(-1)
  const { callId } = (request ? request.payload : {}) as { readonly callId: string }
  main.app({ type: 'save.progress', callId: 'of-another-page', name: 'x', fraction: 0.1 })
  for (const fraction of [0.25, 0.5])
    main.app({ type: 'save.progress', callId, name: 'Chosen.wav', fraction })
  expect(saves.long).toEqual([{ callId, name: 'Chosen.wav', fraction: 0.5 }])
  saves.cancel(callId)
  await settle()
  expect(main.requests.at(-1)).toEqual({ route: 'streams.cancel', payload: { callId } })
  answer.resolve({ state: 'cancelled' })
  expect(await saved).toBe(false)
  expect(saves.long).toEqual([])
})
