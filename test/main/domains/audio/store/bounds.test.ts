import { expect, test } from 'vitest'
import { writeJson } from '../../../../../src/main/domains/audio/exports/json.ts'
import { replaced } from '../../../../../src/main/domains/audio/store/meetings-corrections.ts'
import { meetingJson } from '../../../../../src/shared/contract/meeting-json.ts'
import { codeOf, temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { aMeeting, transcribeAt } from './fixture.ts'

test('does not treat a rewritten text as a correction, whatever its length', () => {
  const words = (letter: string, count: number): string =>
    Array.from({ length: count }, (_, n) => `${letter}${n}`).join(' ')
  expect(replaced(words('a', 4000), words('b', 16_000))).toEqual([])
  expect(replaced(`${words('a', 100)} lectern`, `${words('a', 100)} Lectorn`)).toEqual([
    { heard: 'lectern', corrected: 'Lectorn' },
  ])
})

test('limits lines and speakers to what the JSON format allows, so that exports can be imported', async () => {
  const { home, remove } = temporaryHome()
  try {
    await withStore(home, async (store) => {
      const { meetings } = store
      meetings.create(aMeeting('m'))
      transcribeAt(store, 'm', 'a', 0, 0, ['one', 'two', 'three'])
      const [one, two, three] = meetings.lines('m')
      if (!one || !two || !three) throw new Error('there are no lines')
      const long = 'x'.repeat(60_000)
      for (const line of [one, two])
        meetings.edit('m', { type: 'text', lineId: line.id, text: long })
      const merge = { type: 'merge', lineIds: [one.id, two.id] } as const
      expect(await codeOf(() => meetings.edit('m', merge))).toBe('REFUSED')
      expect(meetings.lines('m')).toHaveLength(3)
      meetings.edit('m', { type: 'merge', lineIds: [two.id, three.id] })
      meetings.edit('m', { type: 'addSpeaker', name: 'Ada\n\n2\n--> ', lineIds: [one.id] })
      const meeting = meetings.get('m')
      if (!meeting) throw new Error('there is no meeting')
      const text = writeJson({
        meeting,
        lines: meetings.lines('m'),
        segments: meetings.segments('m'),
        versions: [],
        originalSha256: null,
        appVersion: '0',
      })
      expect(meetingJson.safeParse(JSON.parse(text)).error).toBeUndefined()
    })
  } finally {
    remove()
  }
})
