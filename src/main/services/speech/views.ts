import { createHash } from 'node:crypto'
import type { Failure } from '../../../shared/bridge/reply.ts'
import type { Speech, SpeechPiece, SpeechSettings } from '../../../shared/model/speech.ts'
import type { PieceRecord, PieceStand, SpeechRecord } from '../../store/speech-types.ts'

/** A piece as the page sees it. */
export function pieceView(piece: PieceRecord): SpeechPiece {
  const { id, text, paragraph, state, take, takes, error, nextTryAt } = piece
  return { id, text, paragraph, state, take, takes, error, nextTryAt }
}

/** Names what a joined sound is made of: takes, their order, and how they are put together. */
export function joinPrint(stands: readonly PieceStand[], settings: SpeechSettings): string {
  const { pauseMs, paragraphMs, crossfadeMs, matchLoudness } = settings
  const pieces = stands.flatMap(({ takeId, paragraph }) =>
    takeId === null ? [] : [[takeId, paragraph]],
  )
  const all = [pauseMs, paragraphMs, crossfadeMs, matchLoudness, pieces]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** What only the running process knows of a speech. */
export interface JoinState {
  readonly joining: boolean
  readonly joinError: Failure | null
}

/** A speech as the page sees it; `print` is what its joined sound would be made of now. */
export function speechView(record: SpeechRecord, print: string, state: JoinState): Speech {
  const { joined } = record
  if (!joined) return { ...record, joined: null, ...state }
  const { print: made, ...rest } = joined
  return { ...record, joined: { ...rest, current: made === print }, ...state }
}
