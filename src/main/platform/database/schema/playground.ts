import { z } from 'zod'
import type { EmbeddingSet, EmbeddingState } from '../../../../shared/model/embeddings.ts'
import type { RemoteItemKind, RemoteItemState } from '../../../../shared/model/remote-item.ts'
import type { RankingState } from '../../../../shared/model/rerank.ts'
import type { RunState } from '../../../../shared/model/run.ts'
import type { SavedRole } from '../../../../shared/model/saved-file.ts'
import type { TaskKind, TaskState } from '../../../../shared/model/task.ts'
import { list, number, orNull, text, withDefault } from './json.ts'
import {
  accountName,
  beginning,
  chosen,
  type Domain,
  fragments,
  givenUp,
  inAnyCase,
  left,
  named,
  ofAccount,
  onImport,
  quoted,
  values,
} from './table.ts'

/**
 * Runs of operations with all their results. Large or rarely needed data has tables of its own, so that lists stay
 * small: results with the raw response, events in batches, files. A file that a run read or wrote is in use.
 *
 * Tracked asynchronous tasks of the provider. `reply_id` refers to the newest response; it is not a foreign key, since
 * a task must survive a response that could not be recovered from a damaged file. `title` is the user’s when `named`,
 * otherwise the input or the beginning of the answer, empty until there is one; `words` is the searchable text of its
 * results.
 *
 * Rankings with their candidates and the rounds of their requests. A ranking in Trash has `removed_at`. The texts of
 * its candidates are stored by hash, so that rankings of the same texts can be found.
 *
 * Embedded texts, with the vectors of each choice of model and dimensions. Texts and vectors are files: a file
 * referenced by a run is in use.
 *
 * Items fetched from the provider by ID: Responses and conversations of the slides agent (`lookups`). Each snapshot
 * that differed from the previous one is a version with its response. Files referenced by responses (`kept_files`)
 * belong to a task or to a version (`owner_id`), without a foreign key: an owner that could not be recovered from a
 * damaged file must not delete its files. Removed items can be restored for a while (`removed_at`, Unix ms).
 */
const sql = `
  CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    operation TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    stream_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ended_at INTEGER,
    events INTEGER NOT NULL DEFAULT 0,
    request_id TEXT,
    engine TEXT,
    notice TEXT,
    usage TEXT,
    error TEXT,
    input TEXT NOT NULL
  ) STRICT;
  CREATE INDEX runs_state ON runs(state, seq);
  CREATE INDEX runs_operation ON runs(operation, seq);
  CREATE TABLE run_results (
    run_id TEXT PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
    value TEXT,
    status INTEGER,
    content_type TEXT,
    body TEXT,
    packed BLOB
  ) STRICT;
  CREATE TABLE run_events (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    first_seq INTEGER NOT NULL,
    count INTEGER NOT NULL,
    events TEXT NOT NULL,
    PRIMARY KEY (run_id, first_seq)
  ) STRICT;
  CREATE TABLE run_media (
    run_id TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    media_id TEXT NOT NULL REFERENCES media(id),
    role TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (run_id, media_id, role)
  ) STRICT;
  CREATE INDEX run_media_media ON run_media(media_id);
  CREATE TRIGGER run_media_used AFTER INSERT ON run_media BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER run_media_unused AFTER DELETE ON run_media BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    task_id TEXT NOT NULL,
    kind TEXT,
    model TEXT,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    interval_ms INTEGER NOT NULL,
    next_poll_at INTEGER,
    error TEXT,
    engine TEXT,
    notice TEXT,
    reply_id TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL, removed_at INTEGER, title TEXT NOT NULL DEFAULT '', named INTEGER NOT NULL DEFAULT 0, words TEXT NOT NULL DEFAULT '',
    UNIQUE (account_id, task_id)
  ) STRICT;
  CREATE INDEX tasks_created ON tasks(created_at);
  CREATE INDEX tasks_unfinished ON tasks(created_at)
  WHERE state IN ('processing', 'waiting') AND removed_at IS NULL;
  CREATE TABLE rankings (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    title TEXT NOT NULL,
    query TEXT NOT NULL,
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    batch INTEGER NOT NULL,
    top_n INTEGER NOT NULL,
    raw_scores INTEGER NOT NULL,
    rounds INTEGER NOT NULL,
    answered INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ended_at INTEGER,
    removed_at INTEGER,
    error TEXT,
    ranked TEXT
  ) STRICT;
  CREATE INDEX rankings_removed ON rankings(removed_at) WHERE removed_at IS NOT NULL;
  CREATE TABLE ranking_candidates (
    ranking_id TEXT NOT NULL REFERENCES rankings(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL,
    source TEXT,
    PRIMARY KEY (ranking_id, place)
  ) STRICT;
  CREATE INDEX ranking_candidates_hash ON ranking_candidates(hash, ranking_id);
  CREATE TABLE ranking_rounds (
    ranking_id TEXT NOT NULL REFERENCES rankings(id) ON DELETE CASCADE,
    round INTEGER NOT NULL,
    scores TEXT NOT NULL,
    request_id TEXT NOT NULL,
    engine TEXT,
    notice TEXT,
    usage TEXT,
    status INTEGER,
    content_type TEXT,
    body TEXT,
    packed BLOB,
    PRIMARY KEY (ranking_id, round)
  ) STRICT;
  CREATE TABLE embedding_runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    count INTEGER NOT NULL,
    texts_media_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ended_at INTEGER,
    removed_at INTEGER,
    error TEXT
  ) STRICT;
  CREATE INDEX embedding_runs_state ON embedding_runs(state);
  CREATE INDEX embedding_runs_removed ON embedding_runs(removed_at) WHERE removed_at IS NOT NULL;
  CREATE TABLE embedding_sets (
    run_id TEXT NOT NULL REFERENCES embedding_runs(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    state TEXT NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    of INTEGER NOT NULL DEFAULT 0,
    cached INTEGER NOT NULL DEFAULT 0,
    calls INTEGER NOT NULL DEFAULT 0,
    usage TEXT,
    engine TEXT,
    notice TEXT,
    media_id TEXT,
    PRIMARY KEY (run_id, place)
  ) STRICT;
  CREATE TABLE embedding_media (
    run_id TEXT NOT NULL REFERENCES embedding_runs(id) ON DELETE CASCADE,
    media_id TEXT NOT NULL REFERENCES media(id),
    PRIMARY KEY (run_id, media_id)
  ) STRICT;
  CREATE INDEX embedding_media_media ON embedding_media(media_id);
  CREATE TRIGGER embedding_media_used AFTER INSERT ON embedding_media BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER embedding_media_unused AFTER DELETE ON embedding_media BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TABLE lookups (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    remote_id TEXT NOT NULL,
    asked TEXT NOT NULL,
    title TEXT NOT NULL,
    named INTEGER NOT NULL DEFAULT 0,
    model TEXT,
    status TEXT,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    interval_ms INTEGER NOT NULL DEFAULT 0,
    next_poll_at INTEGER,
    error TEXT,
    engine TEXT,
    notice TEXT,
    versions INTEGER NOT NULL DEFAULT 0,
    words TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    fetched_at INTEGER,
    removed_at INTEGER,
    UNIQUE (kind, account_id, remote_id)
  ) STRICT;
  CREATE INDEX lookups_kind ON lookups(kind, seq) WHERE removed_at IS NULL;
  CREATE INDEX lookups_unfinished ON lookups(seq)
  WHERE state IN ('asking', 'watching', 'waiting') AND removed_at IS NULL;
  CREATE TABLE lookup_versions (
    lookup_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    reply_id TEXT NOT NULL,
    status TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (lookup_id, number)
  ) STRICT;
  CREATE TABLE kept_files (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    owner_id TEXT NOT NULL,
    role TEXT NOT NULL,
    place INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    media_id TEXT REFERENCES media(id),
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    given_up INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    UNIQUE (owner_id, role, place)
  ) STRICT;
  CREATE INDEX kept_files_media ON kept_files(media_id);
  CREATE INDEX kept_files_waiting ON kept_files(seq) WHERE media_id IS NULL AND given_up = 0;
  CREATE TRIGGER kept_files_fetched AFTER UPDATE OF media_id ON kept_files
    WHEN old.media_id IS NOT new.media_id BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER kept_files_unused AFTER DELETE ON kept_files BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TABLE replies (
    id TEXT PRIMARY KEY,
    item_id TEXT REFERENCES items(id) ON DELETE CASCADE,
    operation TEXT NOT NULL,
    status INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    body TEXT,
    packed BLOB,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX replies_item ON replies(item_id, at);
`

const ranked = z.array(z.looseObject({ index: number, score: number }))
const anyObject = withDefault(z.looseObject({}), {})
const ofRun = { of: { column: 'run_id', table: 'runs', by: 'id' } } as const
const ofRanking = { of: { column: 'ranking_id', table: 'rankings', by: 'id' } } as const
const ofEmbedding = { of: { column: 'run_id', table: 'embedding_runs', by: 'id' } } as const

/** Runs, tasks and fetched items of the provider, rankings and embeddings. */
export const playground: Domain = {
  sql,
  category: 'runs',
  tables: {
    runs: {
      merge: chosen,
      values: {
        state: values<RunState>({ done: 1, running: 1, failed: 1, cancelled: 1, broken: 1 }),
      },
      json: { input: anyObject },
      entry: {
        rank: 1,
        kinds: ['run'],
        from: 'runs t',
        text: fragments(
          quoted('t.operation'),
          beginning('t.input'),
          `(SELECT ${beginning('r.value')} FROM run_results r WHERE r.run_id = t.id)`,
        ),
      },
    },
    run_results: { merge: ofRun, json: { value: orNull(z.unknown()) } },
    run_events: { merge: ofRun, json: { events: list(z.array(z.looseObject({}))) } },
    run_media: {
      merge: ofRun,
      files: { media_id: { name: 'name' } },
      received: `WHERE role = 'output'`,
    },
    tasks: {
      merge: chosen,
      values: {
        kind: values<TaskKind>({ chat: 1, video: 1, image: 1 }),
        state: values<TaskState>({
          succeeded: 1,
          processing: 1,
          waiting: 1,
          refused: 1,
          failed: 1,
        }),
      },
      reset: [
        onImport(
          `state = 'refused', next_poll_at = NULL, error = ${left}`,
          `state IN ('processing', 'waiting')`,
        ),
      ],
      entry: {
        rank: 2,
        kinds: ['task'],
        from: 'tasks t',
        // Its input, or its model until that is known.
        title: `coalesce(nullif(t.title, ''), t.model, t.kind, t.task_id)`,
        text: fragments(
          quoted('t.task_id'),
          `(SELECT ${beginning('r.body')} FROM replies r WHERE r.id = t.reply_id)`,
        ),
        place: 't.rowid',
        where: 't.removed_at IS NULL',
      },
    },
    lookups: {
      merge: chosen,
      values: {
        kind: values<RemoteItemKind>({ response: 1, slides: 1 }),
        state: values<RemoteItemState>({ over: 1, asking: 1, watching: 1, waiting: 1, refused: 1 }),
      },
      json: { asked: anyObject },
      reset: [
        onImport(
          `state = iif(fetched_at IS NULL, 'refused', 'over'), next_poll_at = NULL, error = ${left}`,
          `state IN ('asking', 'watching', 'waiting')`,
        ),
      ],
      entry: {
        rank: 3,
        kinds: ['response', 'slides'],
        from: 'lookups t',
        where: 't.removed_at IS NULL',
        text: fragments(...['t.remote_id', 't.asked', beginning('t.words')].map(quoted)),
      },
    },
    lookup_versions: { merge: { of: { column: 'lookup_id', table: 'lookups', by: 'id' } } },
    kept_files: {
      merge: {
        same: ['owner_id', 'role', 'place'],
        selection: named,
        // Owners are tasks, and versions of remote items by their number (`versionOwnerOf`).
        where: `t.owner_id IN (SELECT id FROM temp.map_runs UNION ALL SELECT id FROM main.tasks
          UNION ALL SELECT lookup_id || '/' || number FROM main.lookup_versions)`,
      },
      values: {
        role: values<SavedRole>({ file: 1, video: 1, cover: 1, image: 1, audio: 1, page: 1 }),
      },
      reset: givenUp,
      files: { media_id: { name: 'name' } },
      received: true,
      entry: {
        rank: 13,
        kinds: ['file'],
        from: `kept_files t CROSS JOIN media f ON f.id = t.media_id LEFT JOIN tasks k ON k.id = t.owner_id
          LEFT JOIN lookups l ON l.id = substr(t.owner_id, 1, instr(t.owner_id, '/') - 1) ${ofAccount}`,
        id: 't.media_id',
        title: 't.name',
        account: accountName,
        state: 'NULL',
        owner: [
          `CASE WHEN k.id IS NULL THEN l.kind ELSE 'task' END`,
          'coalesce(k.id, l.id)',
          `t.role || t.place`,
        ],
        at: 'f.created_at',
        // Pages of decks and covers of videos are shown with their owner.
        where: `t.role NOT IN ('page', 'cover') AND coalesce(k.id, l.id) IS NOT NULL
          AND coalesce(k.removed_at, l.removed_at) IS NULL`,
      },
    },
    replies: {
      merge: {
        same: ['id'],
        selection: named,
        where: `(t.item_id IN (SELECT id FROM temp.map_items)
          OR (t.item_id IS NULL AND t.id IN (SELECT reply_id FROM main.tasks
            UNION ALL SELECT reply_id FROM main.lookup_versions)))`,
      },
    },
    rankings: {
      merge: chosen,
      values: {
        state: values<RankingState>({ done: 1, running: 1, failed: 1, cancelled: 1, broken: 1 }),
      },
      json: { ranked: orNull(ranked) },
      reset: [inAnyCase(`state = 'broken', ended_at = updated_at`, `state = 'running'`)],
      entry: {
        rank: 4,
        kinds: ['ranking'],
        from: 'rankings t',
        where: 't.removed_at IS NULL',
        text: fragments(
          quoted('t.query'),
          `(SELECT json_group_array(substr(c.text, 1, 2000)) FROM (SELECT text FROM ranking_candidates WHERE ranking_id = t.id ORDER BY place LIMIT 200) c)`,
        ),
      },
    },
    ranking_candidates: {
      merge: ofRanking,
      json: { source: orNull(z.looseObject({ itemId: text, kind: text, title: text })) },
    },
    ranking_rounds: { merge: ofRanking, json: { scores: list(ranked) } },
    embedding_runs: {
      merge: chosen,
      values: {
        state: values<EmbeddingState>({ done: 1, running: 1, waiting: 1, failed: 1, cancelled: 1 }),
      },
      reset: [
        inAnyCase(`state = 'cancelled', ended_at = updated_at`, `state IN ('running', 'waiting')`),
      ],
      entry: {
        rank: 6,
        kinds: ['embedding'],
        from: 'embedding_runs t',
        where: 't.removed_at IS NULL',
      },
    },
    embedding_sets: {
      merge: ofEmbedding,
      values: {
        state: values<EmbeddingSet['state']>({ done: 1, waiting: 1, running: 1, partial: 1 }),
      },
      reset: [inAnyCase(`state = 'waiting'`, `state = 'running'`)],
    },
    embedding_media: { merge: ofEmbedding, files: { media_id: {} } },
  },
}
