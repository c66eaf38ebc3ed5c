/**
 * How the rows of a table come from one library into another. Ids are made at random: the same id is the same thing. Integer keys are
 * handed out anew, and every column that names one follows.
 */
export interface MergeRule {
  readonly table: string
  /** Its integer key, where it has one. */
  readonly key?: 'seq'
  /**
   * Which rows come: those of a row that comes (`column` names the integer key or, with `by`, the id of a row of `table`), or rows that
   * stand for themselves and whose `same` columns are not here yet.
   */
  readonly of:
    | {
        readonly column: string
        readonly table: string
        readonly by?: 'id'
        /** Rows that belong to nothing come as well, with a whole library, where their id is not here yet. */
        readonly alone?: true
      }
    | { readonly same: readonly string[] }
  /** Columns that name integer keys of other tables. */
  readonly refs?: Readonly<Record<string, string>>
  /** The same for tables that come only after this one: told once those have their numbers. */
  readonly later?: Readonly<Record<string, string>>
  /** Rows that never come, as a condition on `t`. */
  readonly where?: string
  /** Rows that stand for themselves: taken when a selection names their id (`chosen`), when they are named by what comes (`named`), or with a whole library alone. */
  readonly selection?: 'chosen' | 'named'
}

const items = { column: 'item_seq', table: 'items' } as const
const ofMessages = { column: 'message_seq', table: 'messages' } as const
const ofQuestions = { column: 'run_seq', table: 'retrieval_runs' } as const
const ofRemoteItems = { column: 'lookup_seq', table: 'slice_lookups' } as const
const ofRankings = { column: 'ranking_id', table: 'rankings', by: 'id' } as const
const ofEmbeddings = { column: 'run_id', table: 'embedding_runs', by: 'id' } as const
const ofRuns = { column: 'run_id', table: 'runs', by: 'id' } as const

/** Every table that is merged, each behind those it names. `items` and `media` are at the head and known to the merge by name. */
export const mergeRules: readonly MergeRule[] = [
  { table: 'transcripts', of: items, refs: { item_seq: 'items' } },
  {
    table: 'jobs',
    of: items,
    refs: { item_seq: 'items' },
    // What still ran goes on where it began.
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
    // Owners are tasks, and versions of what was read back by their number (`versionOwnerOf`).
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
  { table: 'slice_pictures', of: ofRemoteItems, refs: { lookup_seq: 'slice_lookups' } },
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
    // What was still on its way goes on where it began.
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

/** What can be asked for again: it goes into no archive. Each behind those that name it. */
export const caches: readonly string[] = [
  'semantic_chunks',
  'semantic_items',
  'semantic_leftovers',
  'semantic_indexes',
  'vectors',
  'vector_spaces',
]

/**
 * Tables that are not merged, each for its reason: this computer's own choices and counts, what is made anew, and the log behind undo of
 * a transcript, whose rows name others by numbers inside their text.
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
