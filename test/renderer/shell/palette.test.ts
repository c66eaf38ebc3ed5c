import { expect, test } from 'vitest'
import type { EntryHit, OtherKind } from '../../../src/shared/model/library-entry.ts'
import {
  headingOf,
  inGroups,
  resultCount,
  type PaletteEntry,
} from '../../../src/renderer/src/shell/palette/palette.ts'

const hitOf = (kind: OtherKind): EntryHit => ({
  id: kind,
  kind,
  title: kind,
  account: '',
  owner: null,
  field: 'title',
  snippet: '',
  ranges: [],
  createdAt: 0,
})
const entryOf = (hit: EntryHit): PaletteEntry => ({ key: hit.id, kind: 'entry', hit })

test('groups results by what they are, and counts all that are shown', () => {
  const hits = inGroups([hitOf('base'), hitOf('summary'), hitOf('run'), hitOf('note')])
  expect(hits.map(({ kind }) => kind)).toEqual(['summary', 'note', 'base', 'run'])
  const entries: readonly PaletteEntry[] = [
    { key: 'record', kind: 'action', label: 'New recording', shortcut: '', run: () => undefined },
    { key: 'item', kind: 'hit', hit: { ...hitOf('note'), itemId: 'm', partId: '' } as never },
    ...hits.map(entryOf),
  ]
  expect(entries.map(headingOf)).toEqual([
    'palette.actions',
    'palette.hits',
    'palette.parts',
    'palette.parts',
    'palette.others',
    'palette.others',
  ])
  expect(resultCount(entries)).toBe(5)
})
