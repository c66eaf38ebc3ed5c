import type { Migration } from './index.ts'

/**
 * Narrations: items of kind `speech`, their segments in the order of `place`, and every take of a segment. `round_seq`: takes
 * from this number on belong to the running request; `fresh`: no earlier take is reused for it; `again`: how often it was
 * regenerated automatically; `place` below 0: no longer part of the text, but its takes are kept. `speech_unindexed` lists
 * outdated search rows (number: place of the segment).
 */
export const speech: Migration = {
  version: 140,
  up: (db) => {
    db.exec(`
      CREATE TABLE speeches (
        item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
        settings TEXT NOT NULL,
        length INTEGER NOT NULL DEFAULT 0,
        joined TEXT,
        joined_media TEXT REFERENCES media(id),
        joined_peaks TEXT REFERENCES media(id)
      ) STRICT;
      CREATE INDEX speeches_joined ON speeches(joined_media);
      CREATE INDEX speeches_peaks ON speeches(joined_peaks);

      CREATE TABLE speech_pieces (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER NOT NULL REFERENCES speeches(item_seq) ON DELETE CASCADE,
        place INTEGER NOT NULL,
        text TEXT NOT NULL,
        paragraph INTEGER NOT NULL,
        state TEXT NOT NULL,
        take_seq INTEGER,
        pinned INTEGER NOT NULL DEFAULT 0,
        account_id TEXT,
        fresh INTEGER NOT NULL DEFAULT 0,
        round_seq INTEGER NOT NULL DEFAULT 0,
        again INTEGER NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        error TEXT
      ) STRICT;
      CREATE INDEX speech_pieces_item ON speech_pieces(item_seq, place);
      CREATE INDEX speech_pieces_open ON speech_pieces(item_seq, place)
        WHERE state IN ('queued', 'speaking', 'checking');

      CREATE TABLE speech_takes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER NOT NULL REFERENCES speeches(item_seq) ON DELETE CASCADE,
        piece_seq INTEGER NOT NULL,
        media_id TEXT NOT NULL REFERENCES media(id),
        text TEXT NOT NULL,
        voice TEXT NOT NULL,
        voice_name TEXT NOT NULL,
        speed REAL NOT NULL,
        volume REAL NOT NULL,
        watermark INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        engine TEXT,
        notice TEXT,
        sound TEXT NOT NULL,
        favourite INTEGER NOT NULL DEFAULT 0,
        reused INTEGER NOT NULL DEFAULT 0,
        heard TEXT,
        created_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX speech_takes_item ON speech_takes(item_seq);
      CREATE INDEX speech_takes_piece ON speech_takes(piece_seq, seq);
      CREATE INDEX speech_takes_same ON speech_takes(fingerprint, seq);
      CREATE INDEX speech_takes_media ON speech_takes(media_id);
      CREATE INDEX speech_takes_voice ON speech_takes(account_id, voice, created_at);

      CREATE TABLE speech_unindexed (
        item_seq INTEGER NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (item_seq, number)
      ) STRICT, WITHOUT ROWID;

      CREATE TRIGGER speech_takes_used AFTER INSERT ON speech_takes BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER speech_takes_unused AFTER DELETE ON speech_takes BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
      CREATE TRIGGER speeches_joined_anew AFTER UPDATE OF joined_media, joined_peaks ON speeches BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.joined_media;
        UPDATE media SET uses = uses - 1 WHERE id = old.joined_peaks;
        UPDATE media SET uses = uses + 1 WHERE id = new.joined_media;
        UPDATE media SET uses = uses + 1 WHERE id = new.joined_peaks;
      END;
      CREATE TRIGGER speeches_gone AFTER DELETE ON speeches BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.joined_media;
        UPDATE media SET uses = uses - 1 WHERE id = old.joined_peaks;
        DELETE FROM speech_unindexed WHERE item_seq = old.item_seq;
      END;
    `)
  },
}
