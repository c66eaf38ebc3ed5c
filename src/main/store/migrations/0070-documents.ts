import type { Migration } from './index.ts'

/**
 * Documents: versions in parts and pages, with the returned blocks. `documents.content` identifies the file's content, saved
 * or not. `document_pages.stands`: 0 another version's page is shown, 1 this one as the newest, 2 this one by choice. Tables
 * with many rows (pages, blocks, responses, images) have no foreign keys: a document with thousands of pages is deleted at
 * once, and its rows follow in steps (`document_leftovers`), as do search rows after large changes (`document_stale`).
 * Numbers are never reused.
 */
export const documents: Migration = {
  version: 70,
  up: (db) => {
    db.exec(`
      CREATE TABLE documents (
        item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
        content TEXT NOT NULL,
        name TEXT NOT NULL,
        facts TEXT,
        pages INTEGER NOT NULL DEFAULT 0,
        locked INTEGER NOT NULL DEFAULT 0,
        place TEXT
      ) STRICT;
      CREATE INDEX documents_content ON documents(content, item_seq);

      CREATE TABLE document_versions (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        item_seq INTEGER NOT NULL REFERENCES documents(item_seq) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        options TEXT NOT NULL,
        account_id TEXT NOT NULL,
        account_name TEXT NOT NULL,
        content TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        engine TEXT,
        state TEXT NOT NULL DEFAULT 'waiting',
        asked INTEGER NOT NULL DEFAULT 0,
        returned INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        waiting INTEGER NOT NULL DEFAULT 0,
        cancelled INTEGER NOT NULL DEFAULT 0,
        calls INTEGER NOT NULL DEFAULT 0,
        priority INTEGER NOT NULL,
        error TEXT,
        created_at INTEGER NOT NULL,
        ended_at INTEGER,
        UNIQUE (item_seq, number)
      ) STRICT;
      CREATE INDEX document_versions_content ON document_versions(content);
      CREATE INDEX document_versions_open ON document_versions(priority, seq)
        WHERE state IN ('waiting', 'running');

      CREATE TABLE document_parts (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        version_seq INTEGER NOT NULL REFERENCES document_versions(seq) ON DELETE CASCADE,
        first_page INTEGER NOT NULL,
        last_page INTEGER NOT NULL,
        bytes INTEGER,
        state TEXT NOT NULL,
        priority INTEGER NOT NULL,
        fingerprint TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        calls INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        error TEXT,
        surplus TEXT NOT NULL DEFAULT '[]'
      ) STRICT;
      CREATE INDEX document_parts_version ON document_parts(version_seq, first_page);
      CREATE INDEX document_parts_queue ON document_parts(priority, version_seq, first_page)
        WHERE state = 'queued';
      CREATE INDEX document_parts_sent ON document_parts(version_seq) WHERE state = 'sent';

      CREATE TABLE document_replies (
        part_seq INTEGER PRIMARY KEY,
        status INTEGER NOT NULL,
        content_type TEXT NOT NULL,
        body TEXT,
        packed BLOB,
        markdown TEXT NOT NULL
      ) STRICT;

      CREATE TABLE document_pages (
        seq INTEGER PRIMARY KEY,
        item_seq INTEGER NOT NULL,
        version_seq INTEGER NOT NULL,
        page INTEGER NOT NULL,
        state TEXT NOT NULL,
        part_seq INTEGER,
        stands INTEGER NOT NULL DEFAULT 0,
        blocks INTEGER NOT NULL DEFAULT 0,
        edits INTEGER NOT NULL DEFAULT 0,
        raster_width REAL,
        raster_height REAL,
        regime TEXT,
        layout_picture TEXT,
        error TEXT,
        UNIQUE (version_seq, page)
      ) STRICT;
      CREATE INDEX document_pages_item ON document_pages(item_seq, page, version_seq);

      CREATE TABLE document_blocks (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        item_seq INTEGER NOT NULL,
        version_seq INTEGER NOT NULL,
        page INTEGER NOT NULL,
        place INTEGER NOT NULL,
        kind TEXT NOT NULL,
        label TEXT NOT NULL,
        native_label TEXT,
        content TEXT NOT NULL,
        edited TEXT,
        box_left REAL,
        box_top REAL,
        box_right REAL,
        box_bottom REAL,
        raw TEXT,
        guessed INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX document_blocks_page ON document_blocks(version_seq, page, place);

      CREATE TABLE document_pictures (
        seq INTEGER PRIMARY KEY,
        item_seq INTEGER NOT NULL,
        page INTEGER NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        media_id TEXT NOT NULL REFERENCES media(id),
        UNIQUE (item_seq, width, page)
      ) STRICT;
      CREATE INDEX document_pictures_media ON document_pictures(media_id);

      CREATE TABLE document_remote (
        seq INTEGER PRIMARY KEY,
        item_seq INTEGER NOT NULL,
        address TEXT NOT NULL,
        media_id TEXT REFERENCES media(id),
        attempts INTEGER NOT NULL DEFAULT 0,
        next_try_at INTEGER,
        given_up INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        UNIQUE (item_seq, address)
      ) STRICT;
      CREATE INDEX document_remote_media ON document_remote(media_id);
      CREATE INDEX document_remote_waiting ON document_remote(seq)
        WHERE media_id IS NULL AND given_up = 0;

      CREATE TABLE document_stale (
        item_seq INTEGER NOT NULL,
        number INTEGER NOT NULL,
        PRIMARY KEY (item_seq, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE document_leftovers (
        kind TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (kind, seq)
      ) STRICT, WITHOUT ROWID;

      CREATE TRIGGER document_versions_left AFTER DELETE ON document_versions BEGIN
        INSERT OR IGNORE INTO document_leftovers VALUES ('version', old.seq);
      END;
      CREATE TRIGGER document_parts_left AFTER DELETE ON document_parts BEGIN
        INSERT OR IGNORE INTO document_leftovers VALUES ('part', old.seq);
      END;
      CREATE TRIGGER documents_left AFTER DELETE ON documents BEGIN
        INSERT OR IGNORE INTO document_leftovers VALUES ('item', old.item_seq);
      END;

      CREATE TRIGGER items_refiled AFTER UPDATE OF media_id ON items
        WHEN old.media_id IS NOT new.media_id BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER document_pictures_used AFTER INSERT ON document_pictures BEGIN
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER document_pictures_unused AFTER DELETE ON document_pictures BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;
      CREATE TRIGGER document_remote_fetched AFTER UPDATE OF media_id ON document_remote
        WHEN old.media_id IS NOT new.media_id BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
        UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
      END;
      CREATE TRIGGER document_remote_unused AFTER DELETE ON document_remote BEGIN
        UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
      END;

      DROP TRIGGER items_deleted;
      CREATE TRIGGER items_deleted AFTER DELETE ON items WHEN old.kind <> 'document' BEGIN
        DELETE FROM search_text WHERE rowid >= old.seq * 4096 AND rowid < (old.seq + 1) * 4096;
      END;
    `)
  },
}
