/**
 * Rule for copying the rows of a table from one library into another. IDs are random: the same ID is the same object.
 * Integer keys are assigned again, and every column that refers to one is updated.
 */
export interface MergeRule {
  readonly table: string
  /** Integer key, if it has one. */
  readonly key?: 'seq'
  /**
   * Which rows to import: those that belong to an imported row (`column` refers to the integer key or, with `by`, to the
   * ID of a row of `table`), or independent rows whose `same` columns do not exist here yet.
   */
  readonly of:
    | {
        readonly column: string
        readonly table: string
        readonly by?: 'id'
        /** Rows without an owner are imported as well with a whole library, if their ID does not exist here yet. */
        readonly alone?: true
      }
    | { readonly same: readonly string[] }
  /** Columns that refer to integer keys of other tables. */
  readonly refs?: Readonly<Record<string, string>>
  /** The same for tables that are imported after this one; set once those have their numbers. */
  readonly later?: Readonly<Record<string, string>>
  /** Restricts the imported rows, as a condition on `t`. */
  readonly where?: string
  /**
   * Independent rows: imported if a selection contains their ID (`chosen`), if imported rows refer to them (`named`), or
   * only with a whole library.
   */
  readonly selection?: 'chosen' | 'named'
}

const items = { column: 'item_seq', table: 'items' } as const
const ofMessages = { column: 'message_seq', table: 'messages' } as const
const ofQuestions = { column: 'run_seq', table: 'retrieval_runs' } as const
const ofChunkRequests = { column: 'lookup_seq', table: 'slice_lookups' } as const
const ofRankings = { column: 'ranking_id', table: 'rankings', by: 'id' } as const
const ofEmbeddings = { column: 'run_id', table: 'embedding_runs', by: 'id' } as const
const ofRuns = { column: 'run_id', table: 'runs', by: 'id' } as const

/**
 * All merged tables, each after those it refers to. `items` and `media` are first, and the merge knows them by name.
 */
export const mergeRules: readonly MergeRule[] = [
  { table: 'transcripts', of: items, refs: { item_seq: 'items' } },
  {
    table: 'jobs',
    of: items,
    refs: { item_seq: 'items' },
    // Running work continues in its original library.
    where: `t.state IN ('done', 'failed', 'cancelled')`,
  },
  { table: 'meetings', of: items, refs: { item_seq: 'items' } },
  { table: 'meeting_speakers', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'meeting_segments', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'meeting_readings', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'meeting_lines', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'meeting_bookmarks', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'meeting_gaps', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'meeting_summaries', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'entry_tags', of: { same: ['kind', 'id', 'tag'] }, selection: 'chosen' },
  { table: 'summary_templates', key: 'seq', of: { same: ['id'] }, where: 't.built_in = 0' },
  { table: 'documents', of: items, refs: { item_seq: 'items' } },
  { table: 'document_versions', key: 'seq', of: items, refs: { item_seq: 'items' } },
  {
    table: 'document_parts',
    key: 'seq',
    of: { column: 'version_seq', table: 'document_versions' },
    refs: { version_seq: 'document_versions' },
  },
  {
    table: 'document_replies',
    of: { column: 'part_seq', table: 'document_parts' },
    refs: { part_seq: 'document_parts' },
  },
  {
    table: 'document_pages',
    key: 'seq',
    of: items,
    refs: { item_seq: 'items', version_seq: 'document_versions', part_seq: 'document_parts' },
  },
  {
    table: 'document_blocks',
    key: 'seq',
    of: items,
    refs: { item_seq: 'items', version_seq: 'document_versions' },
  },
  { table: 'document_pictures', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'document_remote', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'document_pushes', key: 'seq', of: items, refs: { item_seq: 'items' } },
  { table: 'chat_folders', of: { same: ['id'] }, selection: 'named' },
  {
    table: 'conversations',
    of: items,
    refs: { item_seq: 'items' },
    later: { leaf_seq: 'messages' },
  },
  {
    table: 'messages',
    key: 'seq',
    of: items,
    refs: { item_seq: 'items', parent_seq: 'messages', chosen_seq: 'messages' },
  },
  {
    table: 'message_bodies',
    of: ofMessages,
    refs: { message_seq: 'messages', item_seq: 'items' },
  },
  { table: 'message_events', of: ofMessages, refs: { message_seq: 'messages' } },
  { table: 'message_parts', of: ofMessages, refs: { message_seq: 'messages' } },
  { table: 'message_media', of: ofMessages, refs: { message_seq: 'messages' } },
  { table: 'draft_media', of: items, refs: { item_seq: 'items' } },
  { table: 'voice_samples', of: items, refs: { item_seq: 'items' } },
  { table: 'voice_versions', key: 'seq', of: items, refs: { item_seq: 'items' } },
  {
    table: 'voice_clones',
    key: 'seq',
    of: items,
    refs: { item_seq: 'items' },
    where: `t.state NOT IN ('waiting', 'uploading', 'cloning', 'asking')`,
  },
  { table: 'speeches', of: items, refs: { item_seq: 'items' } },
  {
    table: 'speech_pieces',
    key: 'seq',
    of: items,
    refs: { item_seq: 'items' },
    later: { take_seq: 'speech_takes' },
  },
  {
    table: 'speech_takes',
    key: 'seq',
    of: items,
    refs: { item_seq: 'items', piece_seq: 'speech_pieces' },
  },
  { table: 'retrieval_sets', of: items, refs: { item_seq: 'items' } },
  {
    table: 'retrieval_questions',
    key: 'seq',
    of: { ...items, alone: true },
    refs: { item_seq: 'items' },
  },
  {
    table: 'retrieval_judgements',
    of: { column: 'question_seq', table: 'retrieval_questions' },
    refs: { question_seq: 'retrieval_questions' },
  },
  {
    table: 'retrieval_runs',
    key: 'seq',
    of: { ...items, alone: true },
    refs: { item_seq: 'items' },
  },
  {
    table: 'retrieval_rows',
    of: ofQuestions,
    refs: { run_seq: 'retrieval_runs', question_seq: 'retrieval_questions' },
  },
  { table: 'retrieval_found', of: ofQuestions, refs: { run_seq: 'retrieval_runs' } },
  { table: 'item_tags', of: items, refs: { item_seq: 'items' } },
  { table: 'runs', key: 'seq', of: { same: ['id'] }, selection: 'chosen' },
  { table: 'run_results', of: ofRuns },
  { table: 'run_events', of: ofRuns },
  { table: 'run_media', of: ofRuns },
  { table: 'tasks', of: { same: ['id'] }, selection: 'chosen' },
  { table: 'lookups', key: 'seq', of: { same: ['id'] }, selection: 'chosen' },
  { table: 'lookup_versions', of: { column: 'lookup_id', table: 'lookups', by: 'id' } },
  {
    table: 'kept_files',
    key: 'seq',
    of: { same: ['owner_id', 'role', 'place'] },
    selection: 'named',
    // Owners are tasks, and versions of remote items by their number (`versionOwnerOf`).
    where: `t.owner_id IN (SELECT id FROM temp.map_runs UNION ALL SELECT id FROM main.tasks
      UNION ALL SELECT lookup_id || '/' || number FROM main.lookup_versions)`,
  },
  {
    table: 'replies',
    of: { same: ['id'] },
    selection: 'named',
    where: `(t.item_id IN (SELECT id FROM temp.map_items)
      OR (t.item_id IS NULL AND t.id IN (SELECT reply_id FROM main.tasks
        UNION ALL SELECT reply_id FROM main.lookup_versions)))`,
  },
  { table: 'slice_lookups', key: 'seq', of: { same: ['account_id', 'request_id', 'node_id'] } },
  { table: 'slice_pictures', of: ofChunkRequests, refs: { lookup_seq: 'slice_lookups' } },
  { table: 'rankings', key: 'seq', of: { same: ['id'] }, selection: 'chosen' },
  { table: 'ranking_candidates', of: ofRankings },
  { table: 'ranking_rounds', of: ofRankings },
  { table: 'embedding_runs', key: 'seq', of: { same: ['id'] }, selection: 'chosen' },
  { table: 'embedding_sets', of: ofEmbeddings },
  { table: 'embedding_media', of: ofEmbeddings },
  { table: 'accounts', of: { same: ['id'] } },
  { table: 'voices', of: { same: ['account_id', 'voice'] } },
  { table: 'voice_lists', of: { same: ['account_id'] } },
  { table: 'knowledge_accounts', of: { same: ['account_id'] } },
  { table: 'knowledge_bases', of: { same: ['account_id', 'id'] } },
  { table: 'knowledge_documents', of: { same: ['account_id', 'base_id', 'id'] } },
  {
    table: 'knowledge_uploads',
    key: 'seq',
    of: { same: ['id'] },
    // Pending work continues in its original library.
    where: `t.state NOT IN ('queued', 'sending', 'waiting')`,
  },
  {
    table: 'knowledge_events',
    key: 'seq',
    of: { same: ['account_id', 'base_id', 'at', 'deed'] },
  },
  { table: 'knowledge_images', of: { same: ['account_id', 'document_id'] } },
  { table: 'knowledge_pictures', of: { same: ['account_id', 'document_id', 'key'] } },
  { table: 'chat_prompts', of: { same: ['id'] } },
  { table: 'assistant_lists', of: { same: ['account_id'] } },
]

/** Data that can be fetched again and is not archived. Each table comes after those that refer to it. */
export const caches: readonly string[] = [
  'semantic_chunks',
  'semantic_items',
  'semantic_leftovers',
  'semantic_indexes',
  'vectors',
  'vector_spaces',
]

/**
 * Tables that are not merged, each for its reason: local preferences and counts, derived data, and the undo log of a
 * transcript, whose rows refer to others by numbers inside their text.
 */
export const notMerged: readonly string[] = [
  'settings',
  'activity',
  'usage_days',
  'item_counts',
  'meeting_edits',
  'document_stale',
  'document_leftovers',
  'message_unindexed',
  'speech_unindexed',
  'retrieval_unindexed',
  'chat_leftovers',
  'search_text',
  'message_text',
  ...caches,
  'take_ins',
  'library_facts',
]
