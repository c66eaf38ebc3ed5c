import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import type { MeetingEdit } from '../../../../../src/shared/model/meeting.ts'
import { aLine, aVersion, transcribeAt, newMeeting } from './fixture.ts'

interface Step {
  readonly kind: number
  readonly a: number
  readonly b: number
}

/** Selects an edit by numbers; it may be one that is rejected. */
function editFor(store: Store, { kind, a, b }: Step, n: number): MeetingEdit {
  const lines = store.meetings.lines('p')
  const speakers = store.meetings.get('p')?.speakers ?? []
  const at = (place: number): string => lines[place % Math.max(1, lines.length)]?.id ?? 'none'
  const who = (place: number): string => speakers[place % speakers.length]?.id ?? 'none'
  const text = lines[a % Math.max(1, lines.length)]
  switch (kind) {
    case 0:
      return { type: 'text', lineId: at(a), text: `words ${n}` }
    case 1:
      return { type: 'split', lineId: at(a), offset: 1 + (b % 12), atMs: (text?.startMs ?? 0) + b }
    case 2:
      return { type: 'merge', lineIds: [at(a), at(a + 1), at(a + 2)].slice(0, 2 + (b % 2)) }
    case 3:
      return { type: 'remove', lineIds: [at(a)] }
    case 4:
      return { type: 'assign', lineIds: [at(a), at(b)], speakerId: who(b) }
    case 5:
      return { type: 'renameSpeaker', speakerId: who(a), name: `Name ${n}` }
    case 6:
      return { type: 'addSpeaker', name: `New ${n}`, lineIds: [at(b)] }
    default:
      return { type: 'mergeSpeakers', speakerId: who(a), intoId: who(b) }
  }
}

test('restores the start by undoing all random edits, and the end by redoing them', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      const step = fc.record({ kind: fc.nat(9), a: fc.nat(60), b: fc.nat(900) })
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
          newMeeting(store, 'p')
          try {
            checkUndo(store, steps)
          } finally {
            store.items.purge(['p'])
          }
        }),
        { seed: 20261121, numRuns: 30 },
      )
    })
  } finally {
    folder.remove()
  }
}, 60_000)

function checkUndo(store: Store, steps: readonly Step[]): void {
  /**
   * Returns what the user sees, except segments added after the first ones: undo changes nothing in segments that no edit
   * changed.
   */
  const seen = () => ({
    lines: store.meetings.lines('p').filter((line) => line.segmentId?.startsWith('p-')),
    speakers: store.meetings.get('p')?.speakers,
    segments: store.meetings.segments('p').filter((segment) => segment.id.startsWith('p-')),
  })
  const start = seen()
  let done = 0
  for (const [n, one] of steps.entries()) {
    if (one.kind === 8) {
      transcribeAt(store, 'p', `late${n}`, one.a % 2, 100_000 + n * 10_000, [`late ${n}`, 'words'])
      continue
    }
    if (one.kind === 9) {
      // A result for a first segment, if an edit has changed it.
      const touched = store.meetings.lines('p').find((line) => line.edited)?.segmentId
      if (touched?.startsWith('p-'))
        store.meetings.saveTranscription(
          aVersion(`r${n}`, touched, `other ${n}`),
          { state: 'done', flags: [] },
          [aLine(touched, 0, `other ${n}`)],
        )
      continue
    }
    try {
      store.meetings.edit('p', editFor(store, one, n))
      done += 1
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      expect(['REFUSED', 'NOT_FOUND']).toContain(error.code)
    }
  }
  const end = { ...seen(), all: store.meetings.lines('p') }
  let undone = 0
  for (; store.meetings.get('p')?.canUndo; undone++) store.meetings.undo('p')
  expect(undone).toBeLessThanOrEqual(done)
  expect(seen()).toEqual(start)
  for (const line of store.meetings.lines('p'))
    expect(start.speakers?.map((s) => s.id)).toContain(line.speakerId)
  for (let n = 0; n < undone; n++) store.meetings.redo('p')
  expect({ ...seen(), all: store.meetings.lines('p') }).toEqual(end)
  // The index was updated as well: it finds the text of the lines, and nothing else.
  for (const line of end.all) {
    const hits = store.meetings.find('p', `"${line.text}"`).map((hit) => hit.lineId)
    expect(hits, line.text).toContain(line.id)
  }
  for (const query of ['words', 'late', '世界', 'one'])
    expect(store.meetings.find('p', `"${query}"`).map((hit) => hit.lineId)).toEqual(
      end.all
        .filter((line) => line.text.split(' ').some((word) => word.includes(query)))
        .map((line) => line.id),
    )
}
