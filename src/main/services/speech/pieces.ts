import { isSpoken, splitText, type TextPiece } from '../../../shared/speech/split.ts'
import type { Ids } from '../../deps.ts'
import type { PieceStand, PlacedPiece } from '../../store/speech-types.ts'

/**
 * The pieces of a new text, those that stand in it as before with the rows they had: found from both ends first, then each text at
 * the next of the old places that has it, so that a piece that was moved keeps its takes as well.
 */
export function placePieces(
  text: string,
  most: number,
  before: readonly PieceStand[],
  ids: Ids,
): readonly PlacedPiece[] {
  const pieces = splitText(text, most)
  const rows = new Map<string, PieceStand[]>()
  for (const stand of before) {
    const key = stand.text.trim()
    rows.set(key, [...(rows.get(key) ?? []), stand])
  }
  return pieces.map((piece) => placed(piece, rows.get(piece.text.trim())?.shift(), ids))
}

function placed(
  { text, paragraph }: TextPiece,
  row: PieceStand | undefined,
  ids: Ids,
): PlacedPiece {
  const state = isSpoken(text) ? 'idle' : 'silent'
  return { id: row?.id ?? ids(), text, paragraph, state: row?.state ?? state }
}
