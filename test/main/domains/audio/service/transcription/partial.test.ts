import { expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import { createPartial } from '../../../../../../src/main/domains/audio/service/transcription/partial.ts'

/** A growing text with updates controlled by the test. */
function growing(
  again: { accountId: string; prompt: string; hotwords: string[] } | null = null,
  before = '',
) {
  const reported: string[] = []
  const saved: string[] = []
  const store = { rejects: false }
  const timers: (() => void)[] = []
  const partial = createPartial(
    {
      store: {
        savePartial(_segment, text) {
          if (store.rejects) throw new AppError('DISK_FULL', 'The disk is full')
          saved.push(text)
        },
      },
      events: {
        onPartial(_meeting, _segment, text) {
          // Nothing is shown before it is saved.
          if (text !== '') expect([...saved, before]).toContain(text)
          reported.push(text)
        },
      },
      mask: (text) => text.replaceAll('secret', '***'),
      after(_ms, work) {
        timers.push(work)
        return () => void timers.splice(timers.indexOf(work), 1)
      },
    },
    { id: 's', meetingId: 'm', again, ...(before !== '' && { partial: before }) },
  )
  return { reported, saved, store, timers, partial }
}

test('saves and reports a text while it is received, masked, and empty when it is done', () => {
  const { reported, saved, timers, partial } = growing()
  partial.add('Hello ')
  partial.add('secret')
  expect(timers).toHaveLength(1)
  timers.shift()?.()
  partial.add(' world')
  partial.end(true)
  partial.add(' too late')
  expect(timers).toEqual([])
  expect(saved).toEqual(['Hello ***'])
  expect(reported).toEqual(['Hello ***', ''])
})

test('sends no end if nothing was reported, and reports nothing for another pass', () => {
  const quick = growing()
  quick.partial.add('Quick')
  quick.partial.end(true)
  const again = growing({ accountId: 'a', prompt: '', hotwords: [] })
  again.partial.add('Proposal')
  expect(again.partial.isUnsaved()).toBe(false)
  again.partial.save()
  again.partial.end(false)
  expect([quick.reported, again.reported, again.saved]).toEqual([[], [], []])
})

test('keeps everything that was received when the attempt fails', () => {
  const { reported, saved, timers, partial } = growing()
  partial.add('One ')
  timers.shift()?.()
  partial.add('two')
  expect(partial.isUnsaved()).toBe(true)
  partial.save()
  partial.end(false)
  expect(saved).toEqual(['One ', 'One two'])
  expect(reported).toEqual(['One ', 'One two'])
})

test('keeps the text of an earlier attempt until this one has more', () => {
  const { reported, saved, timers, partial } = growing(null, 'One two')
  partial.add('One')
  expect([timers, partial.isUnsaved()]).toEqual([[], false])
  partial.add(' two three')
  timers.shift()?.()
  expect([saved, reported]).toEqual([['One two three'], ['One two three']])
})

test('shows no text that the store rejects, and tries again', () => {
  const { reported, saved, store, timers, partial } = growing()
  store.rejects = true
  partial.add('One')
  timers.shift()?.()
  expect([reported, timers.length]).toEqual([[], 1])
  store.rejects = false
  timers.shift()?.()
  expect([saved, reported]).toEqual([['One'], ['One']])
})
