import { expect, test } from 'vitest'
import {
  diffParts,
  versionParts,
} from '../../../../../src/renderer/src/domains/audio/meetings/diff-rows.ts'
import { proposalRows } from '../../../../../src/renderer/src/domains/audio/meetings/proposals.ts'
import { lineOf, proposalOf, segmentOf } from './side-data.ts'

const marked = (before: string, after: string): string =>
  diffParts(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : `${kind === 'added' ? '+' : '-'}[${text}]`))
    .join('')

test('compares whole words, not letters', () => {
  expect(marked('We run it on cooper net.', 'We run it on Kubernetes.')).toBe(
    'We run it on -[cooper net]+[Kubernetes].',
  )
  expect(marked("It's gone", "It's going")).toBe("It's -[gone]+[going]")
})

test('shows a replaced phrase as one change', () => {
  expect(marked('the bee keeper is lost now', 'the beekeepers lost now')).toBe(
    'the -[bee keeper is]+[beekeepers] lost now',
  )
})

test('compares scripts without spaces by character, and mixed text both ways', () => {
  expect(marked('我们明天去上海', '我们今天去上海')).toBe('我们-[明]+[今]天去上海')
  expect(marked('用 Docker 部署服务', '用 Podman 部署服务')).toBe('用 -[Docker]+[Podman] 部署服务')
})

test('shows the user’s word as added to the transcribed text', () => {
  const partsFor = (state: 'current' | 'older' | 'proposed' | 'declined') =>
    versionParts({ state, text: 'a quick fox' }, 'a slow fox').filter(({ kind }) => kind !== 'same')
  const edited = [
    { kind: 'removed', text: 'quick' },
    { kind: 'added', text: 'slow' },
  ]
  const suggested = [
    { kind: 'removed', text: 'slow' },
    { kind: 'added', text: 'quick' },
  ]
  expect(partsFor('current')).toEqual(edited)
  expect(partsFor('older')).toEqual(edited)
  expect(partsFor('proposed')).toEqual(suggested)
  expect(partsFor('declined')).toEqual(suggested)
})

test('can rebuild both texts from the parts', () => {
  const before = 'Ångström, naïve  cafés: 3.5 % — ok? 👍🏽'
  const after = 'Angstrom, naive cafés: 3,5 % — OK! 👍'
  const parts = diffParts(before, after)
  const without = (kind: string): string =>
    parts
      .filter((part) => part.kind !== kind)
      .map(({ text }) => text)
      .join('')
  expect(without('added')).toBe(before)
  expect(without('removed')).toBe(after)
})

test('shows texts with hardly a common word one after the other', () => {
  expect(marked('Can we ship the change?', 'Nobody saw the list.')).toBe(
    '-[Can we ship the change?]+[Nobody saw the list.]',
  )
})

test('compares empty and identical texts', () => {
  expect(diffParts('', 'new')).toEqual([{ kind: 'added', text: 'new' }])
  expect(diffParts('old', '')).toEqual([{ kind: 'removed', text: 'old' }])
  expect(diffParts('same', 'same')).toEqual([{ kind: 'same', text: 'same' }])
})

test('lists suggestions in chronological order next to all lines of their segment', () => {
  const early = segmentOf('a', 0)
  const late = segmentOf('b', 20_000, { channel: 1 })
  const lines = [
    lineOf('1', early, 'One two.', { endMs: 4000 }),
    lineOf('2', early, 'Three.', { startMs: 4000, edited: true, speakerId: 's2' }),
    lineOf('3', late, 'Four'),
  ]
  const byId = new Map([early, late].map((one) => [one.id, one]))
  const rows = proposalRows(
    [
      proposalOf('y', 'b', 'Fore'),
      proposalOf('x', 'a', 'One two. Tree.'),
      proposalOf('z', 'gone', '?'),
    ],
    byId,
    lines,
  )
  expect(
    rows.map(({ version, before, edited, speakerIds }) => [version.id, before, edited, speakerIds]),
  ).toEqual([
    ['x', 'One two. Three.', true, ['s1', 's2']],
    ['y', 'Four', false, ['s2']],
  ])
})
