import { expect, test } from 'vitest'
import { createPartial } from '../../../../src/main/services/meetings/transcription/partial.ts'

/** A text that grows, with the looks at it in the test's hand. */
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

test('a text is told while it comes, masked, and is empty when it is over', () => {
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

test('what was never told needs no end, and another pass is not told at all', () => {
  const quick = growing()
  quick.partial.add('Quick')
  quick.partial.end()
  const again = growing({ accountId: 'a', prompt: '', hotwords: [] })
  again.partial.add('Proposal')
  again.partial.end()
  expect([quick.reported, again.reported]).toEqual([[], []])
})
