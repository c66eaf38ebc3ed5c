import type { State } from '../state.ts'
import type { SlidePage } from './deck.ts'
import type { LeftOut } from './fit.ts'

/** One turn of a conversation: the question and the deck created for it. */
export interface SlidesTurn {
  readonly question: string
  readonly pages: readonly SlidePage[]
  /** Names of the page images in the media store. */
  readonly pictures: readonly string[]
  /** Entries that the pages do not show; null when nothing was omitted. */
  readonly leftOut: LeftOut | null
  /** Unix milliseconds. */
  readonly at: number
}

/** Opens the table `slides_turns` with the conversations of the slides agent. */
export function slidesStore(state: State) {
  state.exec(`CREATE TABLE IF NOT EXISTS slides_turns (
    number INTEGER PRIMARY KEY, conversation_id TEXT NOT NULL, turn TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS slides_turns_of ON slides_turns (conversation_id)`)
  return {
    add: (conversationId: string, turn: SlidesTurn) =>
      void state
        .prepare('INSERT INTO slides_turns (conversation_id, turn) VALUES (?, ?)')
        .run(conversationId, JSON.stringify(turn)),
    /** In chronological order; empty for an unknown conversation. */
    turns: (conversationId: string): readonly SlidesTurn[] =>
      state
        .prepare<[string], { readonly turn: string }>(
          'SELECT turn FROM slides_turns WHERE conversation_id = ? ORDER BY number',
        )
        .all(conversationId)
        .map(({ turn }) => JSON.parse(turn) as SlidesTurn),
    /** Removes the conversations without a turn since a time (Unix milliseconds). */
    forgetBefore: (moment: number) =>
      void state
        .prepare(
          `DELETE FROM slides_turns WHERE conversation_id NOT IN (
             SELECT conversation_id FROM slides_turns WHERE json_extract(turn, '$.at') >= ?)`,
        )
        .run(moment),
  }
}
