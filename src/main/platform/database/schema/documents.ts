import type Database from 'better-sqlite3'
import { z } from 'zod'
import type { PushState } from '../../../../shared/model/document-transfer.ts'
import type {
  BlockKind,
  BoxRegime,
  PageState,
  VersionState,
} from '../../../../shared/model/document.ts'
import { highlightColors } from '../../../../shared/model/highlight.ts'
import type { PartState } from '../../../domains/documents/store/documents-types.ts'
import { pageCounts, selectVersions, versionState } from './document-counts.ts'
import { list, number, orNull, text, withDefault } from './json.ts'
import { type Domain, fragments, givenUp, left, ofItem, onImport, quoted, values } from './table.ts'

/**
 * Documents: versions in parts and pages, with the returned blocks. `documents.content` identifies the file’s content,
 * saved or not. `document_pages.stands`: 0 another version’s page is shown, 1 this one as the newest, 2 this one by
 * choice. Tables with many rows (pages, blocks, responses, images) have no foreign keys: a document with thousands of
 * pages is deleted at once, and its rows follow in steps (`document_leftovers`), as do search rows after large changes
 * (`document_stale`). Numbers are never reused.
 *
 * Texts added to knowledge bases: `document_pushes.remote_id` is the text’s ID at the provider, `replaces` that of the
 * one it replaces.
 */
const sql = `
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
    surplus TEXT NOT NULL DEFAULT '[]',
    failures INTEGER NOT NULL DEFAULT 0
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
  CREATE TABLE document_pushes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    base_id TEXT NOT NULL,
    base_name TEXT NOT NULL,
    media_id TEXT NOT NULL,
    run_id TEXT,
    state TEXT NOT NULL,
    remote_id TEXT,
    replaces TEXT,
    pages TEXT NOT NULL,
    page_marks INTEGER NOT NULL,
    chars INTEGER NOT NULL,
    digest TEXT NOT NULL,
    error TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX document_pushes_item ON document_pushes(item_seq);
  CREATE INDEX document_pushes_run ON document_pushes(run_id);
  CREATE INDEX document_pushes_open ON document_pushes(seq) WHERE state IN ('sending', 'working');
  CREATE INDEX document_pushes_remote ON document_pushes(remote_id) WHERE remote_id IS NOT NULL;
`

/**
 * Highlights on the pages of documents; added by version 290. The quoted text and the boxes stay as they were marked,
 * whatever is parsed later. Removed ones are emptied a day later; their row remains, so that an archive does not bring them back.
 */
export const highlightsSql = `
  CREATE TABLE document_highlights (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    boxes TEXT NOT NULL,
    quote TEXT NOT NULL,
    note TEXT NOT NULL,
    color TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    removed_at INTEGER
  ) STRICT;
  CREATE INDEX document_highlights_item ON document_highlights(item_seq, page);
  CREATE INDEX document_highlights_created ON document_highlights(created_at, seq);
  CREATE INDEX document_highlights_removed ON document_highlights(removed_at) WHERE removed_at IS NOT NULL;
`

const fraction = number.min(0).max(1)
const highlightBox = z
  .tuple([fraction, fraction, fraction, fraction])
  .refine((box) => box[0] < box[2] && box[1] < box[3])

const facts = z
  .looseObject({
    mime: text,
    bytes: number,
    pages: number.int().min(0).max(100_000),
    sizes: z.array(z.looseObject({ width: number, height: number })),
    locked: z.enum(['no', 'owner', 'user']),
    textChars: z.array(number),
    titles: z.array(text).optional(),
  })
  // Pages of a file that contains its text have no image.
  .refine(({ pages, sizes, titles }) => sizes.length >= pages || (titles?.length ?? 0) >= pages)

/** Documents with their versions. */
export const documents: Domain = {
  sql,
  category: 'documents',
  tables: {
    documents: {
      merge: ofItem,
      json: {
        facts: orNull(facts),
        place: orNull(
          z.looseObject({ page: number.int().min(1), offset: number, zoom: number.nullable() }),
        ),
      },
    },
    document_versions: {
      merge: ofItem,
      references: ['version_seq'],
      values: {
        state: values<VersionState>({
          done: 1,
          waiting: 1,
          running: 1,
          partial: 1,
          failed: 1,
          cancelled: 1,
        }),
      },
      json: {
        options: withDefault(
          z.looseObject({ pages: text, crops: z.boolean(), layoutPictures: z.boolean() }),
          { pages: '', crops: false, layoutPictures: false },
        ),
      },
    },
    document_parts: {
      merge: { of: { column: 'version_seq', table: 'document_versions' } },
      references: ['part_seq'],
      values: {
        state: values<PartState>({
          done: 1,
          queued: 1,
          sent: 1,
          split: 1,
          failed: 1,
          cancelled: 1,
        }),
      },
      json: { surplus: list(z.array(number)) },
      reset: [onImport(`state = 'cancelled', next_try_at = NULL`, `state IN ('queued', 'sent')`)],
    },
    document_replies: {
      merge: { of: { column: 'part_seq', table: 'document_parts' } },
      deletedInSteps: 'part_seq',
    },
    document_pages: {
      merge: ofItem,
      deletedInSteps: 'version_seq',
      values: {
        state: values<PageState>({ returned: 1, waiting: 1, sent: 1, failed: 1, cancelled: 1 }),
        regime: values<BoxRegime>({ fractions: 1, pixels: 1, thousandths: 1, none: 1 }),
      },
      reset: [onImport(`state = 'cancelled'`, `state IN ('waiting', 'sent')`)],
    },
    document_blocks: {
      merge: ofItem,
      deletedInSteps: 'version_seq',
      values: {
        kind: values<BlockKind>({ text: 1, title: 1, table: 1, formula: 1, figure: 1, other: 1 }),
      },
      json: { raw: orNull(z.tuple([number, number, number, number])) },
    },
    document_pictures: {
      merge: ofItem,
      deletedInSteps: 'item_seq',
      files: { media_id: {} },
      category: 'pageImages',
    },
    document_remote: {
      merge: ofItem,
      deletedInSteps: 'item_seq',
      reset: givenUp,
      files: { media_id: {} },
      received: true,
    },
    document_pushes: {
      merge: ofItem,
      values: {
        state: values<PushState>({ done: 1, sending: 1, working: 1, refused: 1, failed: 1 }),
      },
      reset: [
        onImport(
          `state = 'failed', replaces = NULL, error = ${left}`,
          `state IN ('sending', 'working')`,
        ),
      ],
    },
    document_highlights: {
      merge: {
        ...ofItem,
        changedAt: 'updated_at',
        // An ID is written into copies of PDFs, and the pages are those of the document here.
        where: `length(t.id) <= 64 AND t.id NOT GLOB '*[^-0-9A-Za-z_]*'
          AND length(t.quote) <= 50000 AND length(t.note) <= 100000
          AND (t.boxes GLOB '*[0-9]*' OR t.removed_at IS NOT NULL)
          AND t.page BETWEEN 1 AND (SELECT d.pages FROM main.documents d
            JOIN temp.same_items s ON s.new = d.item_seq WHERE s.old = t.item_seq)`,
      },
      values: { color: highlightColors },
      // Those of a removed one are forgotten.
      json: { boxes: list(z.array(highlightBox).max(1000)) },
      entry: {
        rank: 14,
        kinds: ['highlight'],
        from: 'document_highlights t CROSS JOIN items i ON i.seq = t.item_seq',
        title: `substr(coalesce(nullif(t.quote, ''), t.note), 1, 200)`,
        account: `''`,
        state: 'NULL',
        owner: [`'document'`, 'i.id', 't.id'],
        where: 't.removed_at IS NULL AND i.deleted_at IS NULL',
        text: fragments(...['t.note', 't.quote'].map(quoted)),
      },
    },
    document_stale: { merge: 'derived', deletedInSteps: 'item_seq' },
    document_leftovers: { merge: 'derived' },
  },
  counts: `
    UPDATE document_versions SET ${pageCounts('document_versions.seq')};
    UPDATE document_versions SET ${versionState('created_at')};
    ${selectVersions('true')}`,
  repair: repairDocuments,
}

/**
 * Makes the remains of damaged documents readable: a document, version or page whose own row could not be read is recreated
 * from its children. Pages whose blocks were lost are marked as failed, so that they can be requested again; orphaned rows
 * are deleted.
 */
function repairDocuments(db: Database.Database): void {
  db.exec(`
    INSERT INTO documents(item_seq, content, name, pages)
    SELECT seq, coalesce(media_id, (SELECT content FROM document_versions v WHERE v.item_seq = i.seq LIMIT 1), ''), title,
      coalesce((SELECT max(page) FROM document_pages p WHERE p.item_seq = i.seq), 0)
    FROM items i WHERE kind = 'document' AND seq NOT IN (SELECT item_seq FROM documents);

    CREATE TEMP TABLE lost_versions AS
      SELECT version_seq AS seq, min(item_seq) AS item_seq, row_number() OVER (ORDER BY version_seq) AS n
      FROM (SELECT version_seq, item_seq FROM document_pages UNION SELECT version_seq, item_seq FROM document_blocks)
      WHERE version_seq NOT IN (SELECT seq FROM document_versions) AND item_seq IN (SELECT item_seq FROM documents)
      GROUP BY version_seq;
    INSERT INTO document_versions(seq, id, item_seq, number, options, account_id, account_name, content, fingerprint, priority,
      created_at)
    SELECT l.seq, 'saved-' || l.seq, l.item_seq,
      l.n + coalesce((SELECT max(number) FROM document_versions v WHERE v.item_seq = l.item_seq), 0),
      '{"pages":"","crops":false,"layoutPictures":false}', '', '', '', '', 0, i.created_at
    FROM lost_versions l JOIN items i ON i.seq = l.item_seq;
    DROP TABLE lost_versions;

    INSERT INTO document_pages(item_seq, version_seq, page, state)
    SELECT min(b.item_seq), b.version_seq, b.page, 'returned' FROM document_blocks b
    WHERE NOT EXISTS (SELECT 1 FROM document_pages p WHERE p.version_seq = b.version_seq AND p.page = b.page)
      AND b.version_seq IN (SELECT seq FROM document_versions)
    GROUP BY b.version_seq, b.page;

    UPDATE document_pages SET state = 'failed', stands = 0, blocks = 0, edits = 0, error = ${lost}
    WHERE state = 'returned' AND blocks > 0 AND NOT EXISTS (
      SELECT 1 FROM document_blocks b WHERE b.version_seq = document_pages.version_seq AND b.page = document_pages.page);
    UPDATE document_pages SET (blocks, edits) = (SELECT count(*), count(edited) FROM document_blocks b
      WHERE b.version_seq = document_pages.version_seq AND b.page = document_pages.page);
    UPDATE document_parts SET state = 'failed', error = ${lost} WHERE state IN ('queued', 'sent') AND last_page - first_page + 1 <> (
      SELECT count(*) FROM document_pages p WHERE p.version_seq = document_parts.version_seq
        AND p.page BETWEEN document_parts.first_page AND document_parts.last_page
        AND p.part_seq = document_parts.seq AND p.state IN ('waiting', 'sent'));
    UPDATE document_pages SET part_seq = NULL, state = iif(state = 'sent', 'waiting', state)
    WHERE state IN ('waiting', 'sent') AND part_seq NOT IN (SELECT seq FROM document_parts WHERE state IN ('queued', 'sent'));

    DELETE FROM document_leftovers;
    INSERT INTO document_leftovers SELECT DISTINCT 'version', version_seq FROM document_pages
      WHERE version_seq NOT IN (SELECT seq FROM document_versions)
      UNION SELECT 'version', version_seq FROM document_blocks WHERE version_seq NOT IN (SELECT seq FROM document_versions);
    INSERT INTO document_leftovers SELECT 'part', part_seq FROM document_replies
      WHERE part_seq NOT IN (SELECT seq FROM document_parts);
    INSERT INTO document_leftovers SELECT DISTINCT 'item', item_seq FROM document_pictures
      WHERE item_seq NOT IN (SELECT item_seq FROM documents)
      UNION SELECT 'item', item_seq FROM document_remote WHERE item_seq NOT IN (SELECT item_seq FROM documents)`)
}

const lost = `'{"code":"DATABASE_DAMAGED","message":"The page was lost in a damaged library","retriable":true,"at":0}'`
