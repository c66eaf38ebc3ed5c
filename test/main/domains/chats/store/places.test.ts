import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placesOf } from '../../../../../src/main/domains/library/store/search-find.ts'
import { fold, foldWithOffsets } from '../../../../../src/shared/text/fold.ts'

/** Characters that fold to others, to nothing, to several, with preceding characters, and not at all. */
const characters = Array.from(
  'abKk sS.中时かが가日１２ＡｂéÉßςσΣ…—“’ﬁﾊﾞ゙\u0301\u200d\u{1F600}\u{1D400}\u{1F130}\u1100\u1161İı\u212a',
)
const text = fc
  .array(fc.constantFrom(...characters), { maxLength: 30 })
  .map((parts) => parts.join(''))

/** The same, by folding the whole text. */
function byFolding(whole: string, sought: string): number[][] {
  const { text: folded, starts, ends } = foldWithOffsets(whole)
  const places: number[][] = []
  for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length))
    places.push([starts[at] ?? 0, ends[at + sought.length - 1] ?? 0])
  return places
}

test('finds the same matches without folding a text as with folding all of it', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.constantFrom(...characters), { maxLength: 3 }),
      (whole, parts) => {
        const sought = fold(parts.join(''))
        if (sought === '') return
        expect(Array.from(placesOf(sought)(whole))).toEqual(byFolding(whole, sought))
      },
    ),
    { seed: 20261122, numRuns: 20_000 },
  )
})
