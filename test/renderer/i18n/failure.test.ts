import { createI18n } from 'vue-i18n'
import { expect, test } from 'vitest'
import type { Failure } from '../../../src/shared/contract/reply.ts'
import { en } from '../../../src/renderer/src/i18n/en/index.ts'
import { failureText, namesIn } from '../../../src/renderer/src/i18n/failure.ts'
import { zh } from '../../../src/renderer/src/i18n/zh/index.ts'
import { failureDetails } from '../../../src/renderer/src/kit/failure-details.ts'
import { failure } from '../fake-data.ts'

const { global } = createI18n({
  legacy: false,
  locale: 'en',
  messages: { en, 'zh-CN': zh },
})
const read = (one: Failure, language: 'en' | 'zh-CN' = 'en') => {
  global.locale.value = language
  return failureText(
    one,
    {
      t: (key, named) => global.t(key, named),
      te: (key) => global.te(key),
      names: (key) => namesIn(String(global.tm(key))),
    },
    language,
  )
}

test('formats sizes and lengths with units', () => {
  const large = failure('FILE_TOO_LARGE', {
    params: { what: 'file', limit: 26_214_400, value: 41_943_040 },
  })
  expect(read(large).what).toBe('This file is 40 MB. The maximum is 25 MB.')
  const long = failure('AUDIO_TOO_LONG', { params: { what: 'audio', limit: 30, value: 31.25 } })
  expect(read(long).what).toBe('This recording is 31.3 s long. The maximum is 30 s.')
  expect(read(long, 'zh-CN').what).toBe('录音时长为 31.3 秒，上限为 30 秒。')
})

test('shows a whole sentence for a failure without values', () => {
  expect(read(failure('AUDIO_TOO_LONG')).what).toBe(
    'This recording is too long. The maximum is 30 s.',
  )
  expect(read(failure('RATE_LIMITED')).what).toMatch(/rate limit was reached/)
  expect(read(failure('UNSUPPORTED_FORMAT')).what).toBe('This file type isn’t supported.')
})

test('names a feature that the provider lacks, and says that the sample is saved', () => {
  const message = read(failure('NOT_IMPLEMENTED', { params: { problem: 'voiceCloning' } }))
  expect(message.what).toBe('The provider doesn’t offer voice cloning at this base URL.')
  expect(message.todo).toBe('Your sample is saved. Clone it with another account.')
  const speech = failure('NOT_IMPLEMENTED', { params: { problem: 'textToSpeech' } })
  expect(read(speech, 'zh-CN')).toMatchObject({
    what: '服务商在此接口地址不提供语音合成。',
    todo: '请使用其他账户。',
  })
})

test('reports the position of the damage in a file', () => {
  const damaged = (params: Failure['params']) => read(failure('DAMAGED_FILE', params && { params }))
  expect(damaged({ kind: 'MP3', reason: 'start' }).what).toBe(
    'This MP3 file is damaged at the beginning.',
  )
  expect(damaged({ kind: 'mp3' }).what).toContain('No audio was found')
  expect(damaged({ kind: 'wav', reason: 'no-data' }).what).toContain('ends before the audio')
  expect(damaged({ kind: 'pdf' }).what).toBe('This PDF is damaged.')
  expect(damaged({ kind: 'tiff' }).what).toBe(damaged(undefined).what)
})

test('names the item that exceeds its limit', () => {
  const over = failure('LIMIT_EXCEEDED', { params: { what: 'hotwords', limit: 100, value: 132 } })
  expect(read(over).what).toBe(`${en.things.hotwords}: 132. The maximum is 100.`)
  const unknown = failure('LIMIT_EXCEEDED', {
    params: { what: 'new_thing', limit: 128, value: 200 },
  })
  expect(read(unknown).what).toContain('new_thing')
  const under = failure('LIMIT_EXCEEDED', { params: { what: 'user_id', limit: 6, value: 5 } })
  expect(read(under).what).toBe(`${en.things.user_id}: 5. The minimum is 6.`)
  expect(read(under, 'zh-CN').what).toBe(`${zh.things.user_id}：5，下限为 6。`)
})

test('reports the number of pixels of an image that is too large, and the maximum', () => {
  const params = { what: 'pixels', problem: 'pixels', limit: 100_000_000, value: 144_000_000 }
  const message = read(failure('LIMIT_EXCEEDED', { params }))
  expect(message).toMatchObject({
    what: 'This image has 144,000,000 pixels. Lectern opens images of up to 100,000,000.',
    todo: 'Reduce its size, then try again.',
  })
})

test('explains why a URL is not fetched', () => {
  const problems = ['Address', 'Scheme', 'Credentials', 'Port', 'Host', 'Redirects', 'Type']
  for (const language of ['en', 'zh-CN'] as const) {
    const defaultText = read(failure('REFUSED'), language).what
    const texts = problems.map(
      (one) => read(failure('REFUSED', { params: { problem: `remote${one}` } }), language).what,
    )
    expect(texts).not.toContain(defaultText)
    expect(new Set(texts).size).toBe(problems.length)
  }
})

test('names invalid pages, and the reason', () => {
  const wrong = (problem: string) =>
    failure('BAD_REQUEST', { params: { piece: '40-50', problem, pages: 1200 } })
  expect(read(wrong('beyond')).what).toBe('“40-50” is past the last page, 1,200.')
  expect(read(wrong('zero')).what).toBe('“40-50” isn’t valid. Page numbers start at 1.')
  expect(read(wrong('unreadable'), 'zh-CN').what).toBe('“40-50”不是有效的页码。')
  expect(read(wrong('unheard-of')).what).toBe(en.errors.BAD_REQUEST.what)
})

test('does not mention data for a failure that cannot lose any', () => {
  expect(read(failure('EMPTY_FILE')).data).toBe('')
  expect(read(failure('EMPTY_FILE'), 'zh-CN').data).toBe('')
  expect(read(failure('DISK_FULL')).data).toBe(en.errors.DISK_FULL.data)
})

test('shows an unknown code as an internal error', () => {
  expect(read({ ...failure('INTERNAL'), code: 'LATER_CODE' as 'INTERNAL' }).what).toBe(
    en.errors.INTERNAL.what,
  )
})

test('includes in the details what support needs, and nothing that is missing', () => {
  const lines = failureDetails(
    failure('SERVER_ERROR', { service: { status: 503, requestId: 'r-1', logId: 'l-1' } }),
    'noon',
  )
  expect(Object.fromEntries(lines)).toMatchObject({
    code: 'SERVER_ERROR',
    status: '503',
    requestId: 'r-1',
    logId: 'l-1',
    time: 'noon',
  })
  expect(lines.map(([name]) => name)).not.toContain('serviceMessage')
})
