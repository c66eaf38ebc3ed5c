import type Database from 'better-sqlite3'
import { lostAttachments, repairChats } from '../domains/chats/store/chats-salvage.ts'
import { recount } from './counts.ts'
import { isDamage } from '../platform/database/sqlite-errors.ts'

/** Tables in reference order. The search index is not among them, since it is rebuilt. */
const tables = [
  'settings',
  'accounts',
  'media',
  'items',
  'transcripts',
  'meetings',
  'meeting_speakers',
  'meeting_segments',
  'meeting_readings',
  'meeting_lines',
  'meeting_edits',
  'meeting_bookmarks',
  'meeting_gaps',
  'meeting_summaries',
  'summary_templates',
  'documents',
  'document_versions',
  'document_parts',
  'document_replies',
  'document_pages',
  'document_blocks',
  'document_pictures',
  'document_remote',
  'document_pushes',
  'knowledge_bases',
  'knowledge_accounts',
  'knowledge_documents',
  'knowledge_images',
  'knowledge_pictures',
  'knowledge_uploads',
  'knowledge_events',
  'chat_folders',
  'conversations',
  'item_tags',
  'entry_tags',
  'messages',
  'message_bodies',
  'message_events',
  'message_parts',
  'message_media',
  'draft_media',
  'voices',
  'voice_lists',
  'voice_samples',
  'voice_versions',
  'voice_clones',
  'chat_prompts',
  'assistant_lists',
  'retrieval_sets',
  'retrieval_questions',
  'retrieval_judgements',
  'retrieval_runs',
  'retrieval_rows',
  'retrieval_found',
  'slice_lookups',
  'slice_pictures',
  'speeches',
  'speech_pieces',
  'speech_takes',
  'jobs',
  'replies',
  'tasks',
  'activity',
  'usage_days',
  'runs',
  'run_results',
  'run_events',
  'run_media',
  'lookups',
  'lookup_versions',
  'kept_files',
  'vector_spaces',
  'vectors',
  'semantic_indexes',
  'semantic_items',
  'semantic_chunks',
  'semantic_leftovers',
  'rankings',
  'ranking_candidates',
  'ranking_rounds',
  'take_ins',
  'library_facts',
  'embedding_runs',
  'embedding_sets',
  'embedding_media',
] as const

/**
 * Copies everything readable in a damaged database into an intact one. A table that can be read completely replaces that of
 * the intact one. Of a partly readable table, the rows before, between and after the damaged pages are newer than the intact
 * ones and replace them one by one; unreadable rows stay as they were. Returns the number of rows read.
 */
export function salvage(source: Database.Database, into: Database.Database): number {
  into.pragma('foreign_keys = OFF')
  let rows = 0
  try {
    into
      .transaction(() => {
        for (const table of tables) rows += salvageTable(source, into, table)
        repairReferences(into)
        recount(into)
      })
      .immediate()
  } finally {
    into.pragma('foreign_keys = ON')
  }
  return rows
}

function salvageTable(source: Database.Database, into: Database.Database, table: string): number {
  const columns = sharedColumns(source, into, table)
  if (columns.length === 0) return 0
  const names = columns.map((name) => `"${name}"`).join(', ')
  const replace = `INSERT OR REPLACE INTO ${table}(${names}) VALUES (${columns.map(() => '?').join(', ')})`
  const select = `SELECT rowid, ${names} FROM ${table} WHERE rowid >= ? ORDER BY rowid`
  const whole = into.transaction(() => {
    into.exec(`DELETE FROM ${table}`)
    const result = copyFrom(source, select, 0, into.prepare(replace))
    if (!result.whole) throw new BrokenOff()
    return result.rows
  })
  try {
    return whole()
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error
  }
  const write = into.prepare(table === 'transcripts' ? replace + unlessFuller(columns) : replace)
  return copyAround(source, select, write)
}

/**
 * Texts matter most to the user: if only one of the two is complete, it is kept; of two incomplete ones, the longer.
 */
const unlessFuller = (columns: readonly string[]): string => `
  ON CONFLICT(id) DO UPDATE SET ${columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')}
  WHERE excluded.state = 'complete'
    OR (transcripts.state <> 'complete' AND length(excluded.text) >= length(transcripts.text))`

/** Rolls back the transaction of a table. */
class BrokenOff extends Error {}

/**
 * Number of single-row steps over unreadable rows; a page contains fewer rows. Beyond that, steps double: a whole branch is
 * lost.
 */
const singleSteps = 1000

/** Copies a table's rows before, between and after its damaged pages. */
function copyAround(
  source: Database.Database,
  select: string,
  write: Database.Statement<unknown[]>,
): number {
  let rows = 0
  let from = 0
  let failures = 0
  while (from < Number.MAX_SAFE_INTEGER) {
    const result = copyFrom(source, select, from, write)
    rows += result.rows
    if (result.whole) break
    if (result.last >= from) {
      failures = 0
      from = result.last + 1
      continue
    }
    failures += 1
    from += failures < singleSteps ? 1 : 2 ** (failures - singleSteps)
  }
  return rows
}

/**
 * Copies rows from row number `from` on, up to the end or the first unreadable one; `last` is the last row read.
 */
function copyFrom(
  source: Database.Database,
  select: string,
  from: number,
  write: Database.Statement<unknown[]>,
): { readonly rows: number; readonly last: number; readonly whole: boolean } {
  let rows = 0
  let last = from - 1
  try {
    for (const row of source.prepare<unknown[], unknown[]>(select).raw().iterate(from)) {
      const [number, ...values] = row
      last = Number(number)
      if (accepted(write, values)) rows += 1
    }
    return { rows, last, whole: true }
  } catch (error) {
    if (isDamage(error) || isUnreadable(error)) return { rows, last, whole: false }
    throw error
  }
}

/** Inserts a row. A corrupt row may violate the schema's constraints; it is skipped and the others continue. */
function accepted(write: Database.Statement<unknown[]>, row: unknown[]): boolean {
  try {
    return write.run(...row).changes > 0
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_CONSTRAINT') || codeOf(error) === 'SQLITE_MISMATCH')
      return false
    throw error
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isUnreadable = (error: unknown): boolean => /^SQLITE_(IOERR|ERROR)/.test(codeOf(error))

function sharedColumns(
  source: Database.Database,
  into: Database.Database,
  table: string,
): readonly string[] {
  const of = (db: Database.Database): string[] => {
    try {
      return db
        .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map((column) => column.name)
    } catch (error) {
      if (isDamage(error) || isUnreadable(error)) return []
      throw error
    }
  }
  const theirs = new Set(of(source))
  return of(into).filter((name) => theirs.has(name))
}

/**
 * Meetings whose own row could not be read, unlike their item, lines or segments: that is enough to recreate the row.
 */
const lostMeetings = `
  INSERT INTO meetings(item_seq, source, state, channels, sample_rate, has_sound, duration_ms, analysed, analysed_ms, account_id,
    prompt, hotwords)
  SELECT seq, iif(media_id IS NULL, 'recording', 'import'), 'stopped', iif(two, '["mic","others"]', '["mono"]'), 48000, 1, length,
    iif(two, json_array(length, length), json_array(length)), length, account, '', '[]'
  FROM (
    SELECT seq, media_id,
      EXISTS (SELECT 1 FROM meeting_speakers s WHERE s.item_seq = i.seq AND s.channel = 1) AS two,
      max(coalesce((SELECT max(end_ms) FROM meeting_segments s WHERE s.item_seq = i.seq), 0),
        coalesce((SELECT max(end_ms) FROM meeting_lines l WHERE l.item_seq = i.seq), 0)) AS length,
      coalesce((SELECT account_id FROM meeting_readings r WHERE r.item_seq = i.seq LIMIT 1), '') AS account
    FROM items i WHERE kind = 'meeting' AND seq NOT IN (SELECT item_seq FROM meetings))`

/**
 * Repairs rows whose parent could not be read: media get a row of their own (the file may still exist), anything else is
 * deleted.
 */
function repairReferences(db: Database.Database): void {
  db.exec(`
    INSERT INTO media(id, sha256, bytes, mime, name, created_at)
    SELECT media_id, '', 0, 'application/octet-stream', min(title), min(created_at) FROM items
    WHERE media_id IS NOT NULL AND media_id NOT IN (SELECT id FROM media) GROUP BY media_id;
    INSERT INTO media(id, sha256, bytes, mime, name, created_at)
    SELECT media_id, '', 0, 'application/octet-stream', min(name), 0 FROM run_media
    WHERE media_id NOT IN (SELECT id FROM media) GROUP BY media_id;
    INSERT INTO media(id, sha256, bytes, mime, name, created_at)
    SELECT media_id, '', 0, 'application/octet-stream', min(name), 0 FROM kept_files
    WHERE media_id IS NOT NULL AND media_id NOT IN (SELECT id FROM media) GROUP BY media_id;
    ${lostAudio};
    ${lostImages};
    ${lostAttachments}`)
  db.exec(lostMeetings)
  repairDocuments(db)
  repairChats(db)
  repairVoices(db)
  const check = db.prepare<[], { table: string; rowid: number }>(
    'SELECT "table", rowid FROM pragma_foreign_key_check',
  )
  for (let broken = check.all(); broken.length > 0; broken = check.all()) {
    for (const row of broken)
      db.prepare(`DELETE FROM "${row.table}" WHERE rowid = ?`).run(row.rowid)
  }
}

/** Media of voices whose rows could not be read: the files may still exist. */
const lostAudio = `
  INSERT INTO media(id, sha256, bytes, mime, name, created_at)
  SELECT id, '', 0, 'audio/wav', '', 0
  FROM (SELECT media_id AS id FROM voice_versions UNION SELECT preview_id FROM voice_clones WHERE preview_id IS NOT NULL
    UNION SELECT preview_id FROM voices WHERE preview_id IS NOT NULL)
  WHERE id NOT IN (SELECT id FROM media)`

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

/** Media of documents whose rows could not be read: the files may still exist. */
const lostImages = `
  INSERT INTO media(id, sha256, bytes, mime, name, created_at)
  SELECT media_id, '', 0, 'application/octet-stream', '', 0
  FROM (SELECT media_id FROM document_pictures UNION SELECT media_id FROM document_remote)
  WHERE media_id IS NOT NULL AND media_id NOT IN (SELECT id FROM media)`

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
