import { z } from 'zod'
import type * as knowledgeModel from '../../../../shared/model/knowledge.ts'
import type { RetrievalRowState, RetrievalRunState } from '../../../../shared/model/retrieval.ts'
import type { ChunkRequestState, SliceImage } from '../../../../shared/model/slices.ts'
import { list, number, orNull, text, texts, withDefault } from './json.ts'
import {
  accountName,
  beginning,
  type Domain,
  firstSeen,
  fragments,
  inAnyCase,
  left,
  ofAccount,
  ofItem,
  onImport,
  onRestore,
  quoted,
  searched,
  stoppedImages,
  values,
} from './table.ts'

/**
 * Local mirror of the knowledge bases a provider lists, by account: nothing is deleted because a provider no longer
 * lists it; `gone_at` is since when, `gone_why` whether it was deleted from here. `place` is the provider’s order,
 * `seen_at` when it was last listed (Unix ms). `knowledge_uploads` are files and URLs being added to a knowledge base;
 * an accepted file is released.
 *
 * `knowledge_images` is the provider’s list of the images in a document’s slices, `knowledge_pictures` their download
 * status: `key` is the URL without its signature, which differs in each list. A saved image is in use.
 *
 * Queries to knowledge bases. A question has an item (its test set), or none when it was asked in the Playground.
 * Ratings of slices are stored by their ID and a hash of their text. A run consists of rows, one for each question and
 * retrieval method; a row's results and raw response are stored separately, so that runs are compared using short rows
 * (`ranked`). Citation positions (service-notes 11) are stored with the images they reference: a saved image is in
 * use.
 *
 * `retrieval_unindexed` lists outdated search rows, whatever changed their content. A removed run can be restored for
 * a while (`removed_at`, Unix ms).
 */
const sql = `
  CREATE TABLE knowledge_bases (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    embedding_id INTEGER,
    contextual INTEGER NOT NULL DEFAULT 0,
    background TEXT NOT NULL DEFAULT 'blue',
    icon TEXT NOT NULL DEFAULT 'question',
    documents INTEGER,
    tokens INTEGER,
    words INTEGER,
    place INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    documents_seen_at INTEGER,
    gone_at INTEGER,
    gone_why TEXT,
    PRIMARY KEY (account_id, id)
  ) STRICT;
  CREATE TABLE knowledge_accounts (
    account_id TEXT PRIMARY KEY,
    listed_at INTEGER,
    used_words INTEGER,
    used_bytes INTEGER,
    total_words INTEGER,
    total_bytes INTEGER,
    capacity_at INTEGER
  ) STRICT;
  CREATE TABLE knowledge_documents (
    account_id TEXT NOT NULL,
    base_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT,
    knowledge_type INTEGER,
    separators TEXT NOT NULL,
    sentence_size INTEGER,
    tokens INTEGER,
    words INTEGER,
    state TEXT NOT NULL,
    failure TEXT,
    place INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    polls INTEGER NOT NULL DEFAULT 0,
    next_poll_at INTEGER,
    gone_at INTEGER,
    gone_why TEXT,
    PRIMARY KEY (account_id, base_id, id)
  ) STRICT;
  CREATE INDEX knowledge_documents_due ON knowledge_documents(next_poll_at) WHERE next_poll_at IS NOT NULL;
  CREATE INDEX knowledge_documents_open ON knowledge_documents(account_id, base_id) WHERE state IN ('running', 'failed') AND gone_at IS NULL;
  CREATE TABLE knowledge_images (
    account_id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    images TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, document_id)
  ) STRICT;
  CREATE TABLE knowledge_uploads (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    base_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    media_id TEXT,
    item_id TEXT,
    slicing TEXT NOT NULL,
    parse_images INTEGER NOT NULL,
    word_limit INTEGER,
    state TEXT NOT NULL,
    document_id TEXT,
    error TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX knowledge_uploads_base ON knowledge_uploads(account_id, base_id, seq);
  CREATE INDEX knowledge_uploads_open ON knowledge_uploads(seq) WHERE state IN ('queued', 'sending', 'waiting');
  CREATE TRIGGER knowledge_uploads_made AFTER INSERT ON knowledge_uploads WHEN new.media_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER knowledge_uploads_freed AFTER UPDATE OF media_id ON knowledge_uploads
    WHEN old.media_id IS NOT NULL AND new.media_id IS NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TRIGGER knowledge_uploads_gone AFTER DELETE ON knowledge_uploads WHEN old.media_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TABLE knowledge_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id TEXT NOT NULL,
    base_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    deed TEXT NOT NULL
  ) STRICT;
  CREATE INDEX knowledge_events_base ON knowledge_events(account_id, base_id, seq);
  CREATE TABLE knowledge_pictures (
    account_id TEXT NOT NULL,
    document_id TEXT NOT NULL,
    key TEXT NOT NULL,
    url TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    media_id TEXT REFERENCES media(id),
    error TEXT,
    PRIMARY KEY (account_id, document_id, key)
  ) STRICT;
  CREATE INDEX knowledge_pictures_waiting ON knowledge_pictures(next_try_at) WHERE state = 'waiting';
  CREATE INDEX knowledge_pictures_media ON knowledge_pictures(media_id) WHERE media_id IS NOT NULL;
  CREATE TRIGGER knowledge_pictures_used AFTER INSERT ON knowledge_pictures WHEN new.media_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER knowledge_pictures_fetched AFTER UPDATE OF media_id ON knowledge_pictures
    WHEN old.media_id IS NOT new.media_id BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER knowledge_pictures_unused AFTER DELETE ON knowledge_pictures WHEN old.media_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TABLE retrieval_sets (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    settings TEXT NOT NULL
  ) STRICT;
  CREATE TABLE retrieval_questions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER REFERENCES items(seq) ON DELETE CASCADE,
    text TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    dropped_at INTEGER
  ) STRICT;
  CREATE INDEX retrieval_questions_item ON retrieval_questions(item_seq, dropped_at, seq);
  CREATE INDEX retrieval_questions_text ON retrieval_questions(text, item_seq);
  CREATE TABLE retrieval_judgements (
    question_seq INTEGER NOT NULL REFERENCES retrieval_questions(seq) ON DELETE CASCADE,
    slice_id TEXT NOT NULL,
    text_key TEXT NOT NULL,
    grade INTEGER NOT NULL,
    text TEXT NOT NULL,
    document_id TEXT NOT NULL,
    document_name TEXT NOT NULL,
    PRIMARY KEY (question_seq, slice_id, text_key)
  ) STRICT;
  CREATE TABLE retrieval_runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER REFERENCES items(seq) ON DELETE CASCADE,
    title TEXT NOT NULL,
    question TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    settings TEXT NOT NULL,
    state TEXT NOT NULL,
    total INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    waiting INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    removed_at INTEGER
  ) STRICT;
  CREATE INDEX retrieval_runs_item ON retrieval_runs(item_seq, seq);
  CREATE INDEX retrieval_runs_open ON retrieval_runs(seq) WHERE state = 'running';
  CREATE TABLE retrieval_rows (
    run_seq INTEGER NOT NULL REFERENCES retrieval_runs(seq) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    question_seq INTEGER REFERENCES retrieval_questions(seq) ON DELETE SET NULL,
    question TEXT NOT NULL,
    rerank INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    error TEXT,
    took_ms REAL,
    tokens INTEGER,
    request_id TEXT,
    engine TEXT,
    notice TEXT,
    ended_at INTEGER,
    ranked TEXT,
    PRIMARY KEY (run_seq, place)
  ) STRICT;
  CREATE INDEX retrieval_rows_question ON retrieval_rows(question_seq);
  CREATE INDEX retrieval_rows_state ON retrieval_rows(run_seq, state, place);
  CREATE TABLE retrieval_found (
    run_seq INTEGER NOT NULL,
    place INTEGER NOT NULL,
    hits TEXT NOT NULL,
    status INTEGER,
    content_type TEXT,
    body TEXT,
    PRIMARY KEY (run_seq, place),
    FOREIGN KEY (run_seq, place) REFERENCES retrieval_rows(run_seq, place) ON DELETE CASCADE
  ) STRICT;
  CREATE TABLE slice_lookups (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    request_id TEXT NOT NULL,
    node_id TEXT NOT NULL,
    message_id TEXT,
    state TEXT NOT NULL,
    error TEXT,
    documents TEXT NOT NULL DEFAULT '[]',
    slices INTEGER,
    data TEXT,
    status INTEGER,
    content_type TEXT,
    body TEXT,
    created_at INTEGER NOT NULL,
    came_at INTEGER,
    removed_at INTEGER,
    UNIQUE (account_id, request_id, node_id)
  ) STRICT;
  CREATE TABLE slice_pictures (
    lookup_seq INTEGER NOT NULL REFERENCES slice_lookups(seq) ON DELETE CASCADE,
    url TEXT NOT NULL,
    place INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    media_id TEXT REFERENCES media(id),
    error TEXT,
    PRIMARY KEY (lookup_seq, url)
  ) STRICT;
  CREATE INDEX slice_pictures_waiting ON slice_pictures(next_try_at) WHERE state = 'waiting';
  CREATE INDEX slice_pictures_media ON slice_pictures(media_id) WHERE media_id IS NOT NULL;
  CREATE TRIGGER slice_pictures_used AFTER INSERT ON slice_pictures WHEN new.media_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER slice_pictures_fetched AFTER UPDATE OF media_id ON slice_pictures
    WHEN old.media_id IS NOT new.media_id BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER slice_pictures_unused AFTER DELETE ON slice_pictures WHEN old.media_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TABLE retrieval_unindexed (
    item_seq INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (item_seq, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER retrieval_questions_made AFTER INSERT ON retrieval_questions BEGIN
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
  FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (new.seq);
  END;
  CREATE TRIGGER retrieval_questions_changed AFTER UPDATE OF text, note, dropped_at ON retrieval_questions BEGIN
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
  FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (new.seq);
  END;
  CREATE TRIGGER retrieval_judgements_made AFTER INSERT ON retrieval_judgements BEGIN
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
  FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (new.question_seq);
  END;
  CREATE TRIGGER retrieval_judgements_gone AFTER DELETE ON retrieval_judgements BEGIN
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
  FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (old.question_seq);
  END;
  CREATE TRIGGER retrieval_found_made AFTER INSERT ON retrieval_found BEGIN
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
  FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (SELECT question_seq FROM retrieval_rows WHERE run_seq = new.run_seq AND place = new.place);
  END;
  CREATE TRIGGER retrieval_runs_removed AFTER UPDATE OF removed_at ON retrieval_runs BEGIN
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
  FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (SELECT question_seq FROM retrieval_rows WHERE run_seq = new.seq);
  END;
  CREATE TRIGGER retrieval_renamed AFTER UPDATE OF title ON items WHEN new.kind = 'retrieval' BEGIN
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) VALUES (new.seq, 0);
    INSERT OR IGNORE INTO retrieval_unindexed(item_seq, number) SELECT DISTINCT q.item_seq, q.seq % 4096
  FROM retrieval_questions q WHERE q.item_seq IS NOT NULL AND q.seq IN (SELECT seq FROM retrieval_questions WHERE item_seq = new.seq);
  END;
  CREATE TRIGGER retrieval_sets_gone AFTER DELETE ON retrieval_sets BEGIN
    DELETE FROM retrieval_unindexed WHERE item_seq = old.item_seq;
  END;
`

const hit = z.looseObject({
  sliceId: text,
  textKey: text,
  rank: number,
  text,
  documentId: text,
  documentName: text,
  score: number.nullable(),
  place: z.looseObject({
    boxes: z.array(
      z.looseObject({ page: number, box: z.tuple([number, number, number, number]).nullable() }),
    ),
  }),
})
const objects = z.array(z.looseObject({ id: text, name: text }))
const retrievalSettings = withDefault(
  z.looseObject({
    bases: objects,
    documents: objects,
    topK: number,
    topN: number,
    recallMethod: z.enum(['embedding', 'keyword', 'mixed']),
    recallRatio: number,
    rerank: z.enum(['off', 'on', 'both']),
    rerankModel: z.enum(['rerank', 'rerank-pro']),
    threshold: number.nullable(),
  }),
  {
    bases: [],
    documents: [],
    topK: 8,
    topN: 10,
    recallMethod: 'embedding',
    recallRatio: 50,
    rerank: 'off',
    rerankModel: 'rerank',
    threshold: null,
  },
)
const goneReason = values<knowledgeModel.GoneReason>({ deleted: 1, unlisted: 1 })
const imageState = values<SliceImage['state']>({ kept: 1, waiting: 1, failed: 1 })
const ofRun = { of: { column: 'run_seq', table: 'retrieval_runs' } } as const
/** Owned by a test set, or asked in the Playground. */
const ofSet = { of: { ...ofItem.of, alone: true } } as const

/** Knowledge bases of the provider, and retrieval from them. */
export const knowledge: Domain = {
  sql,
  category: 'knowledge',
  tables: {
    knowledge_accounts: { merge: { same: ['account_id'] } },
    knowledge_bases: {
      merge: { same: ['account_id', 'id'] },
      values: { gone_why: goneReason },
      entry: {
        ...firstSeen,
        rank: 5,
        kinds: ['base'],
        from: `knowledge_bases t ${ofAccount}`,
        title: 't.name',
        state: 'NULL',
        text: fragments(
          quoted('t.description'),
          `(SELECT json_group_array(d.name) FROM (SELECT name FROM knowledge_documents WHERE account_id = t.account_id AND base_id = t.id ORDER BY place LIMIT 2000) d)`,
        ),
      },
    },
    knowledge_documents: {
      merge: { same: ['account_id', 'base_id', 'id'] },
      values: {
        state: values<knowledgeModel.EmbeddingState>({
          done: 1,
          running: 1,
          failed: 1,
          unknown: 1,
        }),
        gone_why: goneReason,
      },
      json: {
        separators: list(texts),
        failure: orNull(z.looseObject({ message: text, code: number.nullable() })),
      },
      reset: [onImport('next_poll_at = NULL', 'next_poll_at IS NOT NULL')],
      entry: {
        ...firstSeen,
        rank: 7,
        kinds: ['source'],
        from: `knowledge_documents t ${ofAccount}`,
        title: 't.name',
        owner: [`'base'`, 't.base_id', 't.id'],
      },
    },
    knowledge_images: {
      merge: { same: ['account_id', 'document_id'] },
      json: { images: list(z.array(z.looseObject({ text, url: text }))) },
    },
    knowledge_pictures: {
      merge: { same: ['account_id', 'document_id', 'key'] },
      values: { state: imageState },
      reset: stoppedImages,
      received: true,
    },
    knowledge_uploads: {
      countedFiles: ['media_id'],
      // Pending work continues in its original library.
      merge: { same: ['id'], where: `t.state NOT IN ('queued', 'sending', 'waiting')` },
      values: {
        kind: values<knowledgeModel.KnowledgeUpload['kind']>({ file: 1, url: 1 }),
        state: values<knowledgeModel.UploadState>({
          taken: 1,
          queued: 1,
          sending: 1,
          waiting: 1,
          refused: 1,
          failed: 1,
        }),
      },
      json: {
        slicing: withDefault(
          z.looseObject({
            type: z.literal([1, 2, 3, 5, 6, 7]),
            separators: texts,
            sentenceSize: number,
          }),
          { type: 1, separators: [], sentenceSize: 300 },
        ),
      },
      // The provider is asked for the document before it is sent again.
      reset: [
        onRestore('attempts = max(attempts, 1)', `state IN ('queued', 'sending', 'waiting')`),
      ],
      entry: {
        rank: 8,
        kinds: ['upload'],
        from: `knowledge_uploads t ${ofAccount}`,
        title: 't.name',
        account: accountName,
        owner: [`'base'`, 't.base_id', 't.document_id'],
      },
    },
    knowledge_events: {
      merge: { same: ['account_id', 'base_id', 'at', 'deed'] },
      json: {
        deed: withDefault(
          z.discriminatedUnion('what', [
            z.looseObject({ what: z.enum(['created', 'deleted', 'gone', 'back']) }),
            z.looseObject({ what: z.literal('edited'), fields: texts }),
            z.looseObject({
              what: z.enum(['added', 'removed', 'embedded']),
              n: number,
              names: texts,
            }),
          ]),
          { what: 'back' },
        ),
      },
    },
    retrieval_sets: { merge: ofItem, json: { settings: retrievalSettings } },
    retrieval_questions: { merge: ofSet, references: ['question_seq'] },
    retrieval_judgements: {
      merge: { of: { column: 'question_seq', table: 'retrieval_questions' } },
    },
    retrieval_runs: {
      merge: ofSet,
      references: ['run_seq'],
      values: { state: values<RetrievalRunState>({ done: 1, running: 1, stopped: 1 }) },
      json: { settings: retrievalSettings },
      reset: [
        inAnyCase(`state = 'stopped', waiting = 0, ended_at = created_at`, `state = 'running'`),
      ],
      entry: {
        rank: 9,
        kinds: ['question'],
        from: 'retrieval_runs t',
        title: `coalesce(nullif(t.question, ''), t.title)`,
        where: 't.item_seq IS NULL AND t.removed_at IS NULL',
        text: `coalesce((SELECT group_concat(substr(f.hits, 1, ${searched}), char(10)) FROM (SELECT hits FROM retrieval_found WHERE run_seq = t.seq LIMIT 20) f), '')`,
      },
    },
    retrieval_rows: {
      merge: ofRun,
      values: {
        state: values<RetrievalRowState>({
          done: 1,
          queued: 1,
          running: 1,
          waiting: 1,
          failed: 1,
          stopped: 1,
        }),
      },
      json: { ranked: orNull(z.array(z.tuple([text, text], z.unknown()))) },
      reset: [
        inAnyCase(
          `state = 'stopped', next_try_at = NULL`,
          `state IN ('queued', 'running', 'waiting')`,
        ),
      ],
    },
    retrieval_found: { merge: ofRun, json: { hits: list(z.array(hit)) } },
    slice_lookups: {
      merge: { same: ['account_id', 'request_id', 'node_id'] },
      references: ['lookup_seq'],
      values: { state: values<ChunkRequestState>({ done: 1, asking: 1, failed: 1 }) },
      json: { documents: list(texts), data: orNull(z.unknown()) },
      reset: [
        onImport(
          `state = iif(came_at IS NULL, 'failed', 'done'), error = ${left}`,
          `state = 'asking'`,
        ),
      ],
      entry: {
        rank: 10,
        kinds: ['slices'],
        from: 'slice_lookups t',
        title: `t.request_id || ' ' || t.node_id`,
        text: beginning('t.data'),
        where: 't.removed_at IS NULL',
      },
    },
    slice_pictures: {
      merge: { of: { column: 'lookup_seq', table: 'slice_lookups' } },
      values: { state: imageState },
      reset: stoppedImages,
      received: true,
    },
    retrieval_unindexed: { merge: 'derived' },
  },
}
