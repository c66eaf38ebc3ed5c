import type { BlockChange } from '../../../../../shared/contract/documents.ts'

/** Visual kind of a change. */
type ChangeKind = BlockChange['kind']

/** A row of a comparison: one change, or a run of blocks that are equal in both versions. */
type CompareRow =
  | { readonly type: 'change'; readonly key: string; readonly change: BlockChange }
  | { readonly type: 'same'; readonly key: string; readonly changes: readonly BlockChange[] }

/** Returns the rows of a comparison: consecutive equal blocks are one row that can be collapsed. */
export function compareRows(changes: readonly BlockChange[]): readonly CompareRow[] {
  const rows: CompareRow[] = []
  let same: BlockChange[] = []
  const putSame = (): void => {
    const [first] = same
    if (first) rows.push({ type: 'same', key: `same ${keyOf(first)}`, changes: same })
    same = []
  }
  for (const change of changes) {
    if (change.kind === 'same') {
      same.push(change)
      continue
    }
    putSame()
    rows.push({ type: 'change', key: keyOf(change), change })
  }
  putSame()
  return rows
}

const keyOf = ({ left, right }: BlockChange): string => `${left?.id ?? ''} ${right?.id ?? ''}`

/** Returns the number of changes of each kind. */
export function countKinds(
  changes: readonly Pick<BlockChange, 'kind'>[],
): Readonly<Record<ChangeKind, number>> {
  const counts = { same: 0, changed: 0, moved: 0, 'left-only': 0, 'right-only': 0 }
  for (const { kind } of changes) counts[kind] += 1
  return counts
}

/** A part of one side's text. */
interface SidePart {
  readonly text: string
  /** Whether the other side lacks it. */
  readonly own: boolean
}

/** Returns the text of one side of a change with its own parts marked; null if the texts were not compared. */
export function sideParts(
  words: BlockChange['words'],
  side: 'left' | 'right',
): readonly SidePart[] | null {
  if (words === null || words.length === 0) return null
  const parts: SidePart[] = []
  for (const { text, side: wordSide } of words) {
    if (wordSide !== 'both' && wordSide !== side) continue
    const own = wordSide === side
    const last = parts.at(-1)
    if (last?.own === own) parts[parts.length - 1] = { text: last.text + text, own }
    else parts.push({ text, own })
  }
  return parts
}
