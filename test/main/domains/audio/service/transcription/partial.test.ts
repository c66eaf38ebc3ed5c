import { expect, test } from 'vitest'
import { createPartial } from '../../../../../../src/main/domains/audio/service/transcription/partial.ts'

/** A growing text with updates controlled by the test. */
function growing(again: { accountId: string; prompt: string; hotwords: string[] } | null = null) {
  const reported: string[] = []
  const timers: (() => void)[] = []
  const partial = createPartial(
    {
      events: { onPartial: (_meeting, _segment, text) => void reported.push(text) },
      mask: (text) => text.replaceAll('secret', '***'),
      after(_ms, work) {
        timers.push(work)
        return () => void timers.splice(timers.indexOf(work), 1)
      },
    },
    { id: 's', meetingId: 'm', again },
  )
  return { reported, timers, partial }
}

test('reports a text while it is received, masked, and empty when it is done', () => {
  const { reported, timers, partial } = growing()
  partial.add('Hello ')
  partial.add('secret')
  expect(timers).toHaveLength(1)
  timers.shift()?.()
  partial.add(' world')
  partial.end()
  partial.add(' too late')
  expect(timers).toEqual([])
  expect(reported).toEqual(['Hello ***', ''])
})

test('sends no end if nothing was reported, and reports nothing for another pass', () => {
  const quick = growing()
  quick.partial.add('Quick')
  quick.partial.end()
  const again = growing({ accountId: 'a', prompt: '', hotwords: [] })
  again.partial.add('Proposal')
  again.partial.end()
  expect([quick.reported, again.reported]).toEqual([[], []])
})
