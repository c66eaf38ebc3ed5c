import type { BlockChange } from '../../../../../shared/bridge/documents.ts'

/** How a change is told apart at a glance. */
export type ChangeKind = BlockChange['kind']

/** A row of two versions side by side: one change, or a run of blocks that are the same in both. */
export type CompareRow =
  | { readonly type: 'change'; readonly key: string; readonly change: BlockChange }
  | { readonly type: 'same'; readonly key: string; readonly changes: readonly BlockChange[] }

/** The rows of a comparison: what follows each other unchanged is one row, to be folded. */
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

/** How many changes there are of each kind. */
export function countKinds(
  changes: readonly Pick<BlockChange, 'kind'>[],
): Readonly<Record<ChangeKind, number>> {
  const counts = { same: 0, changed: 0, moved: 0, 'left-only': 0, 'right-only': 0 }
  for (const { kind } of changes) counts[kind] += 1
  return counts
}

/** A piece of one side's words. */
export interface SidePart {
  readonly text: string
  /** The other side does not have it. */
  readonly own: boolean
}

/** The words of one side of a change, those of its own marked; null where words were not compared. */
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
