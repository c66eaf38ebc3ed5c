import { expect, test } from 'vitest'
import {
  readTranscriptText,
  timeMarks,
  transcriptLine,
} from '../../../src/shared/audio/transcript-text.ts'

test('reads the lines that it writes, whatever the names and words contain', () => {
  const text = [
    transcriptLine('3:45', 'Mara', 'We move\nthe release.'),
    transcriptLine('1:02:03', 'Speaker: 2', 'Note: at [4:00] it is done.'),
  ].join('\n')
  expect(readTranscriptText(text)).toEqual([
    { time: '3:45', text: 'We move the release.' },
    { time: '1:02:03', text: 'Note: at [4:00] it is done.' },
  ])
  expect(readTranscriptText('# A document\n\nWith text.')).toBeNull()
  expect(readTranscriptText(`${text}\nsomething else`)).toBeNull()
})

test('finds the times that an answer cites, not other numbers and clock times', () => {
  const times = (text: string) =>
    timeMarks(text).map((mark) => mark.times.map(({ seconds }) => seconds))
  expect(times('Wait until May [3:45]. Costs fell [1:02:03, 1:04:10].')).toEqual([
    [225],
    [3723, 3850],
  ])
  expect(times('推迟到月底【0:07–0:09】。')).toEqual([[7, 9]])
  expect(times('At 10:30, see [1] and [3:7] and (4:05)')).toEqual([])
})
