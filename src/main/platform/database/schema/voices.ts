import type Database from 'better-sqlite3'
import { z } from 'zod'
import type { CloneState } from '../../../../shared/model/sample.ts'
import { defaultSpeech, type SegmentState } from '../../../../shared/model/speech.ts'
import { number, orNull, spans, text, withDefault } from './json.ts'
import { type Domain, firstSeen, inAnyCase, ofAccount, ofItem, onRestore, values } from './table.ts'

/**
 * Voices as listed by the provider, by account: `gone_at` marks those missing from a later complete list, since the
 * audio generated with them stays. `preview_id` is the audio of a voice, fetched once.
 *
 * Own voices: the item, its sample in all versions (`made` is the fix as JSON, `report` the problems found in it), the
 * consent given for it, and the cloning attempts. `voice_samples.version_id` is the current version.
 *
 * Narrations: items of kind `speech`, their segments in the order of `place`, and every take of a segment.
 * `round_seq`: takes from this number on belong to the running request; `fresh`: no earlier take is reused for it;
 * `again`: how often it was regenerated automatically; `place` below 0: no longer part of the text, but its takes are
 * kept. `speech_unindexed` lists outdated search rows (number: place of the segment).
 *
 * `revision` increases with every change of the selected takes, so that it takes no reading of all of them to know
 * whether the joined audio is up to date; the positions of its segments are stored next to it (`joined_places`). A
 * long text is split into rows in several writes, and `placing` contains it until the last.
 */
const sql = `
  CREATE TABLE voices (
    account_id TEXT NOT NULL,
    voice TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    create_time TEXT,
    download_url TEXT,
    preview_id TEXT REFERENCES media(id),
    preview_kind TEXT,
    place INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    gone_at INTEGER,
    uses INTEGER NOT NULL DEFAULT 0,
    used_at INTEGER, first_seen_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, voice)
  ) STRICT;
  CREATE INDEX voices_preview ON voices(preview_id) WHERE preview_id IS NOT NULL;
  CREATE TABLE voice_lists (
    account_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER voices_preview_kept AFTER INSERT ON voices WHEN new.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
  CREATE TRIGGER voices_preview_left AFTER DELETE ON voices WHEN old.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
  END;
  CREATE TRIGGER voices_preview_changed AFTER UPDATE OF preview_id ON voices
    WHEN old.preview_id IS NOT new.preview_id BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
  CREATE TABLE voice_samples (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    source TEXT NOT NULL,
    language TEXT NOT NULL,
    version_id TEXT NOT NULL,
    text TEXT NOT NULL,
    consent TEXT
  ) STRICT;
  CREATE TABLE voice_versions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    media_id TEXT NOT NULL REFERENCES media(id),
    parent_id TEXT,
    made TEXT,
    duration_ms INTEGER NOT NULL,
    report TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX voice_versions_item ON voice_versions(item_seq, seq);
  CREATE TABLE voice_clones (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    version_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    voice_name TEXT NOT NULL,
    input TEXT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    file_id TEXT,
    voice TEXT,
    preview_id TEXT REFERENCES media(id),
    preview_kind TEXT,
    notice TEXT,
    error TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX voice_clones_item ON voice_clones(item_seq, seq);
  CREATE INDEX voice_clones_voice ON voice_clones(account_id, voice);
  CREATE INDEX voice_clones_open ON voice_clones(seq)
  WHERE state IN ('waiting', 'uploading', 'cloning', 'asking');
  CREATE TRIGGER voice_versions_kept AFTER INSERT ON voice_versions BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER voice_versions_left AFTER DELETE ON voice_versions BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TRIGGER voice_clones_kept AFTER INSERT ON voice_clones WHEN new.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
  CREATE TRIGGER voice_clones_left AFTER DELETE ON voice_clones WHEN old.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
  END;
  CREATE TRIGGER voice_clones_changed AFTER UPDATE OF preview_id ON voice_clones
    WHEN old.preview_id IS NOT new.preview_id BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
  CREATE TABLE speeches (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    settings TEXT NOT NULL,
    length INTEGER NOT NULL DEFAULT 0,
    joined TEXT,
    joined_media TEXT REFERENCES media(id),
    joined_peaks TEXT REFERENCES media(id),
    revision INTEGER NOT NULL DEFAULT 0,
    joined_places TEXT,
    placing TEXT
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
  CREATE INDEX speech_pieces_due ON speech_pieces(coalesce(account_id, ''), fresh DESC, item_seq, place)
  WHERE state IN ('queued', 'speaking', 'checking');
  CREATE INDEX speech_pieces_waiting ON speech_pieces(next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX speech_pieces_failed ON speech_pieces(account_id) WHERE state = 'failed';
  CREATE INDEX speech_pieces_states ON speech_pieces(item_seq, state, next_try_at) WHERE place >= 0;
  CREATE INDEX speeches_placing ON speeches(item_seq) WHERE placing IS NOT NULL;
`

const report = z.looseObject({
  durationMs: number,
  sampleRate: number,
  bytes: number,
  checks: z.array(
    z.looseObject({
      name: text,
      state: z.enum(['good', 'warn', 'bad']),
      reason: text,
      values: z.record(text, number),
    }),
  ),
  peaks: z.array(number),
  speech: spans,
})
const sampleText = z.looseObject({
  state: z.enum(['none', 'hearing', 'heard', 'edited', 'failed']),
  text,
})
const marks = z.array(z.looseObject({ kind: text, from: number, to: number, heard: text }))
const takeCheck = z.discriminatedUnion('state', [
  z.looseObject({ state: z.literal('heard'), score: number, marks, heard: text, engine: text }),
  z.looseObject({
    state: z.literal('unchecked'),
    reason: z.enum(['language', 'failed']),
    engine: text,
  }),
])
const joined = z.looseObject({
  mediaId: text,
  peaksId: text,
  durationMs: number,
  sampleRate: number,
  missing: number,
  at: number,
})
const wav = { mime: 'audio/wav' }

/** Voices of the provider, own voices, and narrations. */
export const voices: Domain = {
  sql,
  category: 'voices',
  tables: {
    voices: {
      merge: { same: ['account_id', 'voice'] },
      values: { preview_kind: ['service', 'spoken'] },
      files: { preview_id: wav },
      entry: {
        ...firstSeen,
        rank: 11,
        kinds: ['listed'],
        from: `voices t ${ofAccount}`,
        id: 't.voice',
        title: 't.name',
        state: 'NULL',
      },
    },
    voice_lists: { merge: { same: ['account_id'] } },
    voice_samples: {
      merge: ofItem,
      json: {
        source: withDefault(
          z.discriminatedUnion('kind', [
            z.looseObject({ kind: z.literal('recorded') }),
            z.looseObject({ kind: z.literal('file'), name: text }),
            z.looseObject({ kind: z.literal('meeting'), meetingId: text, title: text }),
          ]),
          { kind: 'recorded' },
        ),
        text: withDefault(sampleText, {
          text: '',
          state: 'none',
          versionId: null,
          model: null,
          notice: null,
          error: null,
        }),
        consent: orNull(
          z.looseObject({
            who: text,
            whose: z.enum(['mine', 'permission']),
            purpose: text,
            at: number,
          }),
        ),
      },
    },
    voice_versions: {
      merge: ofItem,
      json: {
        made: orNull(z.looseObject({ type: text })),
        report: withDefault(report, {
          durationMs: 0,
          sampleRate: 16_000,
          bytes: 0,
          checks: [],
          peaks: [],
          speech: [],
        }),
      },
      files: { media_id: wav },
    },
    voice_clones: {
      merge: {
        ...ofItem,
        where: `t.state NOT IN ('waiting', 'uploading', 'cloning', 'asking')`,
      },
      values: {
        state: values<CloneState>({
          done: 1,
          waiting: 1,
          uploading: 1,
          cloning: 1,
          asking: 1,
          failed: 1,
          unknown: 1,
        }),
        preview_kind: ['service', 'spoken'],
      },
      // The provider is asked whether the voice exists before it is cloned again.
      reset: [onRestore(`state = 'cloning'`, `state IN ('waiting', 'uploading')`)],
      files: { preview_id: wav },
    },
    speeches: {
      merge: ofItem,
      files: { joined_media: wav, joined_peaks: {} },
      json: {
        settings: withDefault(
          z.looseObject({
            speed: number,
            volume: number,
            pieceLength: number,
            voice: z.looseObject({ id: text, name: text }).nullable(),
          }),
          defaultSpeech,
        ),
        joined: orNull(joined),
        joined_places: orNull(
          z.array(z.looseObject({ pieceId: text, startMs: number, endMs: number })),
        ),
      },
    },
    speech_pieces: {
      merge: ofItem,
      references: ['piece_seq'],
      values: {
        state: values<SegmentState>({
          done: 1,
          idle: 1,
          queued: 1,
          speaking: 1,
          checking: 1,
          failed: 1,
          stale: 1,
          silent: 1,
        }),
      },
      reset: [
        inAnyCase(
          `fresh = 0, attempts = 0, next_try_at = NULL, error = NULL, state = CASE
            WHEN take_seq IS NULL THEN 'idle' WHEN state = 'checking' THEN 'done' ELSE 'stale' END`,
          `state IN ('queued', 'speaking', 'checking')`,
        ),
      ],
    },
    speech_takes: {
      merge: ofItem,
      references: ['take_seq'],
      json: {
        sound: orNull(
          z.looseObject({ rate: number, samples: number, from: number, to: number, peak: number }),
        ),
        heard: orNull(takeCheck),
      },
      files: { media_id: wav },
      received: true,
    },
    speech_unindexed: { merge: 'derived' },
  },
  repair: repairVoices,
}

/**
 * Makes the rest of damaged voices readable: a sample whose own row was lost is rebuilt from its newest version, and one whose
 * current version was lost uses the newest one left. A voice without any version has no audio and is deleted with its item's
 * rows.
 */
function repairVoices(db: Database.Database): void {
  db.exec(`
    INSERT INTO voice_samples(item_seq, source, language, version_id, text)
    SELECT i.seq, '{"kind":"recorded"}', 'en', v.id,
      '{"text":"","state":"none","versionId":null,"model":null,"notice":null,"error":null}'
    FROM items i JOIN voice_versions v ON v.seq = (SELECT max(seq) FROM voice_versions WHERE item_seq = i.seq)
    WHERE i.kind = 'voice' AND i.seq NOT IN (SELECT item_seq FROM voice_samples);
    UPDATE voice_samples SET version_id = coalesce(
        (SELECT id FROM voice_versions v WHERE v.item_seq = voice_samples.item_seq ORDER BY seq DESC LIMIT 1), version_id)
      WHERE version_id NOT IN (SELECT id FROM voice_versions)`)
}
