/** SQL assignments that count the pages of a version. `seq` is its number, in SQL. */
export const pageCounts = (seq: '?' | 'document_versions.seq'): string => `
  (asked, returned, failed, waiting, cancelled) = (
    SELECT count(*), coalesce(sum(state = 'returned'), 0), coalesce(sum(state = 'failed'), 0),
      coalesce(sum(state IN ('waiting', 'sent')), 0), coalesce(sum(state = 'cancelled'), 0)
    FROM document_pages WHERE version_seq = ${seq})`

/** SQL assignments derived from a version's counts. `at` is the end time of finished versions, in SQL. */
export const versionState = (at: '?' | 'created_at'): string => `
  state = CASE
    WHEN waiting > 0 THEN iif(calls > 0 OR returned > 0, 'running', 'waiting')
    WHEN cancelled > 0 THEN 'cancelled'
    WHEN returned = asked THEN 'done'
    WHEN returned = 0 THEN 'failed'
    ELSE 'partial' END,
  ended_at = iif(waiting > 0, NULL, coalesce(ended_at, ${at})),
  error = iif(failed > 0,
    (SELECT p.error FROM document_pages p WHERE p.version_seq = document_versions.seq AND p.state = 'failed' ORDER BY p.page LIMIT 1),
    (SELECT p.error FROM document_parts p WHERE p.version_seq = document_versions.seq AND p.state = 'queued' AND p.error IS NOT NULL
       ORDER BY p.seq DESC LIMIT 1))`

/**
 * SQL that recomputes the current version of the pages that match `which`: the chosen one, otherwise the newest that returned
 * it. Reads each of them once.
 */
export const selectVersions = (which: string): string => `
  UPDATE document_pages AS p SET stands = iif(p.version_seq = best.version_seq, max(p.stands, 1), 0)
  FROM (
    SELECT item_seq, page, coalesce(max(iif(stands = 2, version_seq, NULL)), max(version_seq)) AS version_seq
    FROM document_pages WHERE state = 'returned' AND ${which} GROUP BY item_seq, page) AS best
  WHERE p.item_seq = best.item_seq AND p.page = best.page
    AND p.stands <> iif(p.version_seq = best.version_seq, max(p.stands, 1), 0)`
