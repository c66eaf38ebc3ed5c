import { expect, test } from 'vitest'
import {
  channelMark,
  markStyle,
  speakerStyles,
} from '../../../../../src/renderer/src/domains/audio/meetings/speakers.ts'
import { meetingOf } from './side-data.ts'

const words = {
  role: (role: string) => `the ${role}`,
  unnamed: (n: number) => `Speaker ${n}`,
}

test('names an unnamed speaker by channel or number', () => {
  const styles = speakerStyles(
    meetingOf({
      speakers: [
        { id: 's1', name: '', channel: 0, mark: 0 },
        { id: 's2', name: 'Mara', channel: 1, mark: 1 },
        { id: 's3', name: '', channel: null, mark: 4 },
      ],
    }),
    words,
  )
  expect([...styles.values()].map(({ name }) => name)).toEqual(['the mic', 'Mara', 'Speaker 5'])
})

test('distinguishes thirty speakers by color and shape, and neighbors by each', () => {
  const styles = [...Array(30).keys()].map(markStyle)
  expect(new Set(styles.map(({ color, shape }) => `${color} ${shape}`)).size).toBe(30)
  for (const [at, style] of styles.slice(1).entries()) {
    expect(style.color).not.toBe(styles[at]?.color)
    expect(style.shape).not.toBe(styles[at]?.shape)
  }
})

test('styles a channel like its original speaker, or by its number', () => {
  const { speakers } = meetingOf()
  expect(channelMark(speakers, 1)).toBe(1)
  expect(channelMark([], 1)).toBe(1)
})
