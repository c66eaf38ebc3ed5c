import type Database from 'better-sqlite3'

/** Media of documents whose rows could not be read: the files may still exist. */
export const lostImages = `
  INSERT INTO media(id, sha256, bytes, mime, name, created_at)
  SELECT media_id, '', 0, 'application/octet-stream', '', 0
  FROM (SELECT media_id FROM document_pictures UNION SELECT media_id FROM document_remote)
  WHERE media_id IS NOT NULL AND media_id NOT IN (SELECT id FROM media)`

/**
 * Makes the remains of damaged documents readable: a document, version or page whose own row could not be read is recreated
 * from its children. Pages whose blocks were lost are marked as failed, so that they can be requested again; orphaned rows
 * are deleted.
 */
export function repairDocuments(db: Database.Database): void {
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
