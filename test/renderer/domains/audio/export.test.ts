import { expect, test } from 'vitest'
import { effectScope } from 'vue'
import {
  readPreferences,
  audioFormats,
  textFormats,
  writePreferences,
  type ExportPreferences,
} from '../../../../src/renderer/src/domains/audio/export/export-preferences.ts'
import {
  optionsOf,
  audioRequest,
  textRequest,
} from '../../../../src/renderer/src/domains/audio/export/request.ts'
import { useExport } from '../../../../src/renderer/src/domains/audio/export/use-export.ts'
import { meetings } from '../../../../src/shared/contract/meetings.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

/** Storage with one text. */
function memory(text: string | null = null) {
  let stored = text
  return { getItem: () => stored, setItem: (_: string, value: string) => void (stored = value) }
}
const first = readPreferences(memory())
const range = { startMs: 1500.4, endMs: 9000.2 }

test('remembers export settings, and resets broken ones', () => {
  const store = memory()
  const chosen: ExportPreferences = {
    format: 'srt',
    speakers: false,
    timestamps: false,
    gaps: false,
    bom: true,
    channel: 1,
  }
  writePreferences(store, chosen)
  expect(readPreferences(store)).toEqual(chosen)
  expect(readPreferences(memory('{"format":"exe","speakers":"yes","channel":7}'))).toEqual(first)
  for (const text of ['{', 'null', '[]', '"x"'])
    expect(readPreferences(memory(text))).toEqual(first)
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(() => writePreferences(full, chosen)).not.toThrow()
})

test('creates requests that main accepts, without options unknown to their format', () => {
  const all: ExportPreferences = { ...first, bom: true, gaps: true }
  const scope = { speakerIds: ['a'], range }
  for (const format of textFormats) {
    const request = textRequest('m', format, all, scope, 'zh-CN')
    const parsed = meetings.export.request.parse(request)
    const may = optionsOf(format)
    expect(parsed.language).toBe('zh')
    expect(parsed.options.bom).toBe(may.bom)
    expect(parsed.options.gaps).toBe(may.gaps)
    expect(parsed.options.speakerIds).toEqual(may.who ? ['a'] : undefined)
    expect(parsed.options.range).toEqual(may.range ? { startMs: 1500, endMs: 9001 } : undefined)
  }
  for (const format of audioFormats) {
    const request = audioRequest('m', format, 'mix', 2, range)
    expect(meetings.exportAudio.request.parse(request)).toEqual({
      id: 'm',
      format,
      channel: 'mix',
      range: { startMs: 1500, endMs: 9001 },
    })
    expect(audioRequest('m', format, 'both', 1, null)).toEqual({ id: 'm', format, channel: 0 })
  }
  expect(optionsOf('json')).toEqual({
    speakers: false,
    timestamps: false,
    gaps: false,
    who: false,
    bom: false,
    range: false,
  })
})

test('shows an export failure in the dialog, and none after it was canceled', async () => {
  const { main, run, settle } = rendererSetup()
  const scope = effectScope()
  const exporting = run(() => scope.run(() => useExport()))
  if (!exporting) throw new Error('there is no scope')
  const refused = { ok: false, error: failure('DISK_FULL') } as const
  await exporting.save(async () => refused)
  expect(exporting.failure.value?.code).toBe('DISK_FULL')
  expect(exporting.busy.value).toBeNull()
  let answer: (value: typeof refused) => void = () => {}
  let requestedCallId = ''
  const slow = exporting.save((callId) => {
    requestedCallId = callId
    return new Promise((resolve) => (answer = resolve))
  })
  expect(exporting.busy.value).toBe('save')
  expect(exporting.failure.value).toBeNull()
  main.answer('streams.cancel', () => ({ cancelled: true }))
  exporting.cancel()
  expect(exporting.busy.value).toBeNull()
  // Main stops the work as well, because no one waits for it.
  await settle()
  expect(main.requests.at(-1)).toEqual({
    route: 'streams.cancel',
    payload: { callId: requestedCallId },
  })
  answer(refused)
  await slow
  await settle()
  expect(exporting.failure.value).toBeNull()
  // Main completes one whose dialog is closed.
  const requests = main.requests.length
  void exporting.save(() => new Promise(() => {}))
  // Another action doesn’t take its place, so that leaving keeps the file.
  let asked = false
  await exporting.copy(async () => ((asked = true), refused))
  expect([asked, exporting.busy.value]).toEqual([false, 'save'])
  exporting.leave()
  expect(exporting.busy.value).toBeNull()
  await settle()
  expect(main.requests.length).toBe(requests)
  scope.stop()
})
