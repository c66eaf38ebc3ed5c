import type Database from 'better-sqlite3'
import { type Domain, chosen, ofItem, onImport, values } from './table.ts'
import { folderKinds, itemKinds } from '../../../../shared/model/library.ts'
import type { MediaOrigin } from '../../../library-database/types.ts'

/**
 * `items.seq` increases with creation and numbers the search rows: row `seq * 4096 + number` of
 * `search_text` contains an item’s title and one part of its text, tokenized by `shared/text/cut.ts`. Newest first is
 * then the index’s own order.
 *
 * Values the main thread needs often are stored instead of counted: items by kind and Trash, items that use a media
 * file, and one text per call for the search in Activity (its index contains everything the filter needs, so that no
 * row is read in vain). Tokens by day are stored permanently, by the days of the local time zone, while Activity only
 * stores its newest calls; `sent_ms` completes a call’s timeline: queued, sent, first byte, done.
 *
 * Tags are for items of every kind. Imported archives are recorded to distinguish interrupted imports from complete
 * ones. Metadata of the library: `app` is the version that last wrote to it.
 */
const sql = `
  CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    preset TEXT NOT NULL,
    name TEXT NOT NULL,
    profile TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    keys INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE media (
    id TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    mime TEXT NOT NULL,
    name TEXT NOT NULL,
    duration REAL,
    created_at INTEGER NOT NULL,
    uses INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL DEFAULT 'received'
  ) STRICT;
  CREATE TABLE items (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    excerpt TEXT NOT NULL DEFAULT '',
    media_id TEXT REFERENCES media(id),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER
  ) STRICT;
  CREATE INDEX items_live ON items(created_at, seq, kind) WHERE deleted_at IS NULL;
  CREATE INDEX items_binned ON items(deleted_at, seq, kind) WHERE deleted_at IS NOT NULL;
  CREATE INDEX items_media ON items(media_id);
  CREATE TABLE activity (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    operation TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    model TEXT,
    status INTEGER,
    outcome TEXT NOT NULL,
    error_code TEXT,
    queued_ms REAL NOT NULL,
    first_byte_ms REAL,
    duration_ms REAL NOT NULL,
    bytes_sent INTEGER NOT NULL,
    bytes_received INTEGER NOT NULL,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    total_tokens INTEGER,
    attempt INTEGER NOT NULL,
    request_id TEXT,
    log_id TEXT,
    sought TEXT GENERATED ALWAYS AS (
    operation || char(10) || path || char(10) || coalesce(model, '') || char(10) || coalesce(error_code, '') || char(10)
    || account_name || char(10) || coalesce(request_id, '') || char(10) || coalesce(log_id, '')
  ) VIRTUAL,
    sent_ms REAL
  ) STRICT;
  CREATE INDEX activity_outcome ON activity(outcome, id);
  CREATE INDEX activity_account ON activity(account_id, id);
  CREATE VIRTUAL TABLE search_text USING fts5(
    title, body, content='', contentless_delete=1, tokenize='ascii', prefix='1'
  );
  CREATE TRIGGER items_deleted AFTER DELETE ON items WHEN old.kind <> 'document' BEGIN
    DELETE FROM search_text WHERE rowid >= old.seq * 4096 AND rowid < (old.seq + 1) * 4096;
  END;
  CREATE TABLE item_counts (
    kind TEXT NOT NULL,
    binned INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (kind, binned)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX media_unused ON media(created_at, id) WHERE uses = 0;
  CREATE TRIGGER items_counted AFTER INSERT ON items BEGIN
    INSERT INTO item_counts VALUES (new.kind, new.deleted_at IS NOT NULL, 1)
      ON CONFLICT(kind, binned) DO UPDATE SET n = n + 1;
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER items_uncounted AFTER DELETE ON items BEGIN
    UPDATE item_counts SET n = n - 1
      WHERE kind = old.kind AND binned = (old.deleted_at IS NOT NULL);
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TRIGGER items_recounted AFTER UPDATE OF deleted_at ON items
    WHEN (old.deleted_at IS NULL) <> (new.deleted_at IS NULL) BEGIN
    UPDATE item_counts SET n = n - 1
      WHERE kind = old.kind AND binned = (old.deleted_at IS NOT NULL);
    INSERT INTO item_counts VALUES (new.kind, new.deleted_at IS NOT NULL, 1)
      ON CONFLICT(kind, binned) DO UPDATE SET n = n + 1;
  END;
  CREATE INDEX activity_sought ON activity(id, outcome, account_id, sought);
  CREATE TABLE usage_days (
    day TEXT NOT NULL,
    account_id TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    total_tokens INTEGER NOT NULL,
    PRIMARY KEY (day, account_id, model)
  ) STRICT;
  CREATE TABLE item_tags (
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    UNIQUE (item_seq, tag)
  ) STRICT;
  CREATE INDEX item_tags_tag ON item_tags(tag, item_seq);
  CREATE TABLE take_ins (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    file TEXT NOT NULL
  ) STRICT;
  CREATE TABLE library_facts (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
  CREATE INDEX items_title ON items(title COLLATE NOCASE, seq) WHERE deleted_at IS NULL;
`

/**
 * Stars of items, and folders of the lists of each kind; added by version 310, which moved those of chats. No foreign key
 * refers to a folder, so that an item can be merged before it. The indexes are the orders of a list and of a folder.
 */
export const organizeSql = `
  CREATE TABLE folders (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE items ADD COLUMN starred INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE items ADD COLUMN folder_id TEXT;
  INSERT INTO folders SELECT id, 'conversation', name, created_at FROM chat_folders ORDER BY created_at, rowid;
  UPDATE items SET starred = c.pinned, folder_id = (SELECT id FROM chat_folders WHERE id = c.folder_id)
    FROM conversations c WHERE c.item_seq = items.seq AND (c.pinned_at IS NOT NULL OR c.folder_id IS NOT NULL);
  DROP INDEX conversations_newest;
  DROP INDEX conversations_who;
  DROP INDEX conversations_folder;
  ALTER TABLE conversations DROP COLUMN pinned;
  ALTER TABLE conversations DROP COLUMN pinned_at;
  ALTER TABLE conversations DROP COLUMN folder_id;
  DROP TABLE chat_folders;
  CREATE INDEX conversations_newest ON conversations(last_at, item_seq);
  CREATE INDEX conversations_who ON conversations(who, last_at, item_seq);
  CREATE INDEX items_listed ON items(starred, created_at, seq, kind, folder_id) WHERE deleted_at IS NULL;
  CREATE INDEX items_folder ON items(folder_id, deleted_at, starred, created_at, seq, kind) WHERE folder_id IS NOT NULL;
`

/** Takes items out of folders that could not be read; an earlier schema has none. */
function repairFolders(db: Database.Database): void {
  if (db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'folders'`).get() !== undefined)
    db.exec('UPDATE items SET folder_id = NULL WHERE folder_id NOT IN (SELECT id FROM folders)')
}

/** Items and files, and data of this computer. */
export const library: Domain = {
  sql,
  category: 'runs',
  counts: `
    DELETE FROM item_counts;
    INSERT INTO item_counts SELECT kind, deleted_at IS NOT NULL, count(*) FROM items GROUP BY 1, 2`,
  repair: repairFolders,
  tables: {
    settings: { merge: 'local', staysOnRestore: true },
    accounts: { merge: { same: ['id'] }, staysOnRestore: true },
    media: {
      merge: 'first',
      values: { origin: values<MediaOrigin>({ imported: 1, received: 1, foreign: 1 }) },
    },
    items: {
      merge: 'first',
      references: ['item_seq'],
      values: { kind: [...itemKinds, 'temporary'] },
      files: { media_id: { name: 'title', at: 'created_at' } },
      reset: [
        onImport(
          'folder_id = NULL',
          `folder_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM folders f WHERE f.id = folder_id AND f.kind = items.kind)`,
        ),
      ],
    },
    folders: {
      merge: {
        same: ['id'],
        selection:
          't.id IN (SELECT folder_id FROM src.items WHERE seq IN (SELECT old FROM temp.map_items))',
      },
      values: { kind: folderKinds },
    },
    item_tags: { merge: ofItem },
    item_counts: { merge: 'derived' },
    search_text: { merge: 'derived' },
    activity: { merge: 'local' },
    usage_days: { merge: 'local' },
    take_ins: { merge: 'local' },
    library_facts: { merge: 'local', staysOnRestore: true },
    file_jobs: {
      merge: 'local',
      files: { media_id: { name: 'name', at: 'created_at' } },
    },
  },
}

/**
 * Tags for entries that are not items: runs, remote items, knowledge bases, voices of the provider. The Library lists
 * all of them by time, so each table has an index by it; the time a voice was first listed is stored, as for knowledge
 * bases and their documents.
 */
const entrySql = `
  CREATE INDEX runs_created ON runs(created_at, seq);
  CREATE TABLE entry_tags (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (kind, id, tag)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entry_tags_tag ON entry_tags(tag, kind, id);
  CREATE TRIGGER runs_untagged AFTER DELETE ON runs BEGIN
    DELETE FROM entry_tags WHERE kind IN ('run') AND id = old.id;
  END;
  CREATE TRIGGER tasks_untagged AFTER DELETE ON tasks BEGIN
    DELETE FROM entry_tags WHERE kind IN ('task') AND id = old.id;
  END;
  CREATE TRIGGER lookups_untagged AFTER DELETE ON lookups BEGIN
    DELETE FROM entry_tags WHERE kind IN ('response', 'slides') AND id = old.id;
  END;
  CREATE TRIGGER rankings_untagged AFTER DELETE ON rankings BEGIN
    DELETE FROM entry_tags WHERE kind IN ('ranking') AND id = old.id;
  END;
  CREATE TRIGGER embedding_runs_untagged AFTER DELETE ON embedding_runs BEGIN
    DELETE FROM entry_tags WHERE kind IN ('embedding') AND id = old.id;
  END;
  CREATE TRIGGER slice_lookups_untagged AFTER DELETE ON slice_lookups BEGIN
    DELETE FROM entry_tags WHERE kind IN ('slices') AND id = old.id;
  END;
  CREATE TRIGGER retrieval_runs_untagged AFTER DELETE ON retrieval_runs BEGIN
    DELETE FROM entry_tags WHERE kind IN ('question') AND id = old.id;
  END;
  CREATE TRIGGER knowledge_uploads_untagged AFTER DELETE ON knowledge_uploads BEGIN
    DELETE FROM entry_tags WHERE kind IN ('upload') AND id = old.id;
  END;
  CREATE TRIGGER knowledge_bases_untagged AFTER DELETE ON knowledge_bases BEGIN
    DELETE FROM entry_tags WHERE kind IN ('base') AND id = old.id;
  END;
  CREATE TRIGGER knowledge_documents_untagged AFTER DELETE ON knowledge_documents BEGIN
    DELETE FROM entry_tags WHERE kind IN ('source') AND id = old.id;
  END;
  CREATE TRIGGER voices_untagged AFTER DELETE ON voices BEGIN
    DELETE FROM entry_tags WHERE kind IN ('listed') AND id = old.voice;
  END;
  CREATE TRIGGER voices_first_seen AFTER INSERT ON voices WHEN new.first_seen_at = 0 BEGIN
    UPDATE voices SET first_seen_at = new.seen_at WHERE rowid = new.rowid;
  END;
  CREATE INDEX voices_first ON voices(first_seen_at);
  CREATE INDEX knowledge_bases_first ON knowledge_bases(first_seen_at);
  CREATE INDEX knowledge_documents_first ON knowledge_documents(first_seen_at);
  CREATE INDEX knowledge_uploads_created ON knowledge_uploads(created_at, seq);
  CREATE INDEX slice_lookups_created ON slice_lookups(created_at, seq);
  CREATE INDEX retrieval_runs_created ON retrieval_runs(created_at, seq) WHERE item_seq IS NULL;
  CREATE INDEX lookups_created ON lookups(created_at, seq);
  CREATE INDEX rankings_created ON rankings(created_at, seq);
  CREATE INDEX embedding_runs_created ON embedding_runs(created_at, seq);
  CREATE INDEX tasks_removed ON tasks(removed_at) WHERE removed_at IS NOT NULL;
  CREATE INDEX lookups_removed ON lookups(removed_at) WHERE removed_at IS NOT NULL;
  CREATE INDEX slice_lookups_removed ON slice_lookups(removed_at) WHERE removed_at IS NOT NULL;
  CREATE INDEX slice_lookups_asking ON slice_lookups(seq) WHERE state = 'asking' AND removed_at IS NULL;
  CREATE INDEX voice_versions_media ON voice_versions(media_id);
`

/** Created and copied last, since deleting other rows deletes their tags. */
export const entries: Domain = {
  sql: entrySql,
  category: 'runs',
  tables: {
    entry_tags: { merge: { ...chosen, same: ['kind', 'id', 'tag'] } },
  },
}
