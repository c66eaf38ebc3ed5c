import type { Migration } from './index.ts'

/**
 * Speeds up narrations with thousands of segments: `revision` increases with every change of the selected takes, so that it
 * takes no reading of all of them to know whether the joined audio is up to date; the positions of its segments are stored
 * next to it (`joined_places`); a long text is split into rows in several writes, and `placing` contains it until the last.
 * Indexes for the next, waiting and failed segments and the status counts.
 */
export const speechSpeed: Migration = {
  version: 210,
  up: (db) => {
    db.exec(`
      ALTER TABLE speeches ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE speeches ADD COLUMN joined_places TEXT;
      ALTER TABLE speeches ADD COLUMN placing TEXT;
      UPDATE speeches SET joined_places = json_extract(joined, '$.pieces'), joined = json_remove(joined, '$.pieces')
        WHERE joined IS NOT NULL AND json_valid(joined);

      CREATE INDEX speech_pieces_due ON speech_pieces(coalesce(account_id, ''), fresh DESC, item_seq, place)
        WHERE state IN ('queued', 'speaking', 'checking');
      CREATE INDEX speech_pieces_waiting ON speech_pieces(next_try_at) WHERE next_try_at IS NOT NULL;
      CREATE INDEX speech_pieces_failed ON speech_pieces(account_id) WHERE state = 'failed';
      CREATE INDEX speech_pieces_states ON speech_pieces(item_seq, state, next_try_at) WHERE place >= 0;
      CREATE INDEX speeches_placing ON speeches(item_seq) WHERE placing IS NOT NULL;
    `)
  },
}
