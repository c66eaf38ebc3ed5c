import type Database from 'better-sqlite3'
import { defaultMerging } from './search-merge.ts'

/**
 * `items.seq` increases with creation and numbers the search rows: row `seq * 4096 + transcript number` of
 * `search_text` contains an item’s title and one transcript, tokenized by `shared/text/cut.ts`. Newest first is then
 * the index’s own order.
 *
 * Values the main thread needs often are stored instead of counted: items by kind and Trash, items that use a media
 * file, and one text per call for the search in Activity (its index contains everything the filter needs, so that no
 * row is read in vain). Tokens by day are stored permanently, by the days of the local time zone, while Activity only
 * stores its newest calls; `sent_ms` completes a call’s timeline: queued, sent, first byte, done.
 *
 * Tags are for items of every kind. Imported archives are recorded to distinguish interrupted imports from complete
 * ones. Metadata of the library: `app` is the version that last wrote to it.
 */
const library = `
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
  CREATE TABLE transcripts (
    id TEXT PRIMARY KEY,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    model TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    request_id TEXT,
    notice TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (item_seq, number)
  ) STRICT;
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    state TEXT NOT NULL,
    progress REAL,
    stream_id TEXT,
    attempts INTEGER NOT NULL,
    account_id TEXT NOT NULL,
    options TEXT NOT NULL,
    transcript_id TEXT,
    error TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    next_try_at INTEGER,
    dismissed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX jobs_item ON jobs(item_seq, created_at);
  CREATE INDEX jobs_state ON jobs(state, created_at);
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
 * Runs of operations with all their results. Large or rarely needed data has tables of its own, so that lists stay
 * small: results with the raw response, events in batches, files. A file that a run read or wrote is in use.
 */
const runs = `
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
`

/**
 * Tracked asynchronous tasks of the provider. `reply_id` refers to the newest response; it is not a foreign key, since
 * a task must survive a response that could not be recovered from a damaged file. `title` is the user’s when `named`,
 * otherwise the input or the beginning of the answer, empty until there is one; `words` is the searchable text of its
 * results.
 */
const tasks = `
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
`

/**
 * Meetings: items without a file of their own. Triggers maintain a meeting’s counts, so that a page of the list reads
 * one row for each; lines are ordered by start, channel and `seq`. `meeting_edits` is the log behind undo and redo: it
 * restores rows under their old numbers, which are therefore never reused.
 */
const meetings = `
  CREATE TABLE meetings (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    source TEXT NOT NULL,
    state TEXT NOT NULL,
    channels TEXT NOT NULL,
    sample_rate INTEGER NOT NULL,
    has_sound INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL DEFAULT 0,
    recorded_ms INTEGER,
    analysed TEXT NOT NULL,
    analysed_ms INTEGER NOT NULL DEFAULT 0,
    import_progress REAL,
    notes TEXT NOT NULL DEFAULT '',
    account_id TEXT NOT NULL,
    prompt TEXT NOT NULL,
    hotwords TEXT NOT NULL,
    error TEXT,
    gaps_ms INTEGER NOT NULL DEFAULT 0,
    segments INTEGER NOT NULL DEFAULT 0,
    segments_ms INTEGER NOT NULL DEFAULT 0,
    transcribed_ms INTEGER NOT NULL DEFAULT 0,
    waiting INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    flagged INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX meetings_state ON meetings(state, item_seq);
  CREATE INDEX meetings_unlooked ON meetings(item_seq)
  WHERE has_sound = 1 AND analysed_ms < duration_ms;
  CREATE TABLE meeting_speakers (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    name TEXT NOT NULL,
    channel INTEGER,
    mark INTEGER NOT NULL,
    into_id TEXT
  ) STRICT;
  CREATE INDEX meeting_speakers_item ON meeting_speakers(item_seq, seq);
  CREATE TABLE meeting_segments (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    channel INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    forced_start INTEGER NOT NULL,
    forced_end INTEGER NOT NULL,
    voiced TEXT NOT NULL,
    flags TEXT NOT NULL DEFAULT '[]',
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    next_try_at INTEGER,
    reading_id TEXT,
    again TEXT,
    held INTEGER NOT NULL DEFAULT 0,
    UNIQUE (item_seq, channel, start_ms)
  ) STRICT;
  CREATE INDEX meeting_segments_time ON meeting_segments(item_seq, start_ms, channel);
  CREATE INDEX meeting_segments_work ON meeting_segments(item_seq)
  WHERE state IN ('pending', 'inflight') OR again IS NOT NULL;
  CREATE TABLE meeting_readings (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    segment_id TEXT NOT NULL REFERENCES meeting_segments(id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    flags TEXT NOT NULL,
    model TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    request_id TEXT,
    notice TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX meeting_readings_segment ON meeting_readings(segment_id, seq);
  CREATE INDEX meeting_readings_item ON meeting_readings(item_seq, state, seq);
  CREATE TABLE meeting_lines (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    segment_id TEXT,
    channel INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    speaker_id TEXT NOT NULL,
    text TEXT NOT NULL,
    edited_at INTEGER,
    flags TEXT NOT NULL,
    model TEXT NOT NULL,
    account_name TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_lines_time ON meeting_lines(item_seq, start_ms, channel, seq);
  CREATE INDEX meeting_lines_segment ON meeting_lines(segment_id, start_ms, channel, seq);
  CREATE INDEX meeting_lines_edited ON meeting_lines(item_seq, edited_at)
  WHERE edited_at IS NOT NULL;
  CREATE TABLE meeting_edits (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    undone INTEGER NOT NULL DEFAULT 0,
    before TEXT NOT NULL,
    after TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_edits_item ON meeting_edits(item_seq, undone, seq);
  CREATE TABLE meeting_bookmarks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    label TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_bookmarks_item ON meeting_bookmarks(item_seq, at_ms);
  CREATE TABLE meeting_gaps (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    channel INTEGER,
    start_ms INTEGER NOT NULL,
    end_ms INTEGER NOT NULL,
    reason TEXT NOT NULL
  ) STRICT;
  CREATE INDEX meeting_gaps_item ON meeting_gaps(item_seq, start_ms);
  CREATE TABLE meeting_summaries (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES meetings(item_seq) ON DELETE CASCADE,
    template_id TEXT NOT NULL,
    template_name TEXT NOT NULL,
    state TEXT NOT NULL,
    points TEXT NOT NULL,
    engine TEXT NOT NULL,
    error TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX meeting_summaries_item ON meeting_summaries(item_seq, seq);
  CREATE TABLE summary_templates (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    built_in INTEGER NOT NULL,
    sections TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER meeting_segments_counted AFTER INSERT ON meeting_segments BEGIN
    UPDATE meetings SET segments = segments + 1,
      segments_ms = segments_ms + (new.end_ms - new.start_ms),
      transcribed_ms = transcribed_ms
        + (new.end_ms - new.start_ms) * (new.state IN ('done', 'silent', 'flagged')),
      waiting = waiting + (new.state IN ('pending', 'inflight')),
      failed = failed + (new.state = 'failed'),
      flagged = flagged + (new.state = 'flagged')
    WHERE item_seq = new.item_seq;
  END;
  CREATE TRIGGER meeting_segments_recounted AFTER UPDATE OF state ON meeting_segments
    WHEN old.state <> new.state BEGIN
    UPDATE meetings SET
      transcribed_ms = transcribed_ms + (new.end_ms - new.start_ms)
        * ((new.state IN ('done', 'silent', 'flagged')) - (old.state IN ('done', 'silent', 'flagged'))),
      waiting = waiting
        + (new.state IN ('pending', 'inflight')) - (old.state IN ('pending', 'inflight')),
      failed = failed + (new.state = 'failed') - (old.state = 'failed'),
      flagged = flagged + (new.state = 'flagged') - (old.state = 'flagged')
    WHERE item_seq = new.item_seq;
  END;
`

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
const documents = `
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
`

/**
 * Chats: items of kind `conversation` (temporary ones: `temporary`) with trees of messages. `messages.parent_seq` and
 * the rows of a message have no foreign keys: a chat with thousands of messages is deleted at once, and its rows
 * follow in steps (`chat_leftovers`). `chosen_seq` is the child shown last, `conversations.leaf_seq` the end of the
 * shown branch. Long data is stored next to the messages, so that walking the tree reads little; it contains its
 * owner, in case the message is lost. Rows `seq * 4096 + piece` of `message_text` contain a message's text, with
 * question and answer in separate columns; text that is too long to tokenize at once waits in `message_unindexed` with
 * the next piece.
 *
 * `messages.holder` owns a session: the account of an answer, or of the uploaded files of a question, with the API key
 * at the time (`accounts.keys` counts its keys).
 *
 * Content of long answers that their row in `message_bodies` does not contain. Parts of kind `text` follow the text of
 * the row; those of kind `steps` are the JSON of all steps, of which the row has a shortened form. `start` and `units`
 * are in UTF-16 units.
 */
const chats = `
  CREATE TABLE chat_folders (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE conversations (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    settings TEXT NOT NULL,
    who TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    folder_id TEXT,
    pinned_at INTEGER,
    pinned INTEGER NOT NULL GENERATED ALWAYS AS (pinned_at IS NOT NULL) VIRTUAL,
    leaf_seq INTEGER,
    messages INTEGER NOT NULL DEFAULT 0,
    usage TEXT,
    draft TEXT,
    last_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX conversations_newest ON conversations(pinned, last_at, item_seq);
  CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL,
    parent_seq INTEGER,
    chosen_seq INTEGER,
    depth INTEGER NOT NULL,
    role TEXT NOT NULL,
    state TEXT NOT NULL,
    who TEXT NOT NULL,
    stream_id TEXT,
    events INTEGER NOT NULL DEFAULT 0,
    session_id TEXT,
    model TEXT,
    engine TEXT,
    notice TEXT,
    finish_reason TEXT,
    usage TEXT,
    service_message_id TEXT,
    request_id TEXT,
    retold INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    holder TEXT
  ) STRICT;
  CREATE INDEX messages_item ON messages(item_seq);
  CREATE INDEX messages_time ON messages(created_at);
  CREATE INDEX messages_children ON messages(item_seq, parent_seq, role);
  CREATE INDEX messages_session ON messages(item_seq, session_id) WHERE session_id IS NOT NULL;
  CREATE INDEX messages_open ON messages(item_seq) WHERE state IN ('running', 'queued', 'waiting');
  CREATE TABLE message_bodies (
    message_seq INTEGER PRIMARY KEY,
    item_seq INTEGER NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    steps TEXT,
    attachments TEXT,
    settings TEXT,
    slices TEXT
  ) STRICT;
  CREATE TABLE message_events (
    message_seq INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    count INTEGER NOT NULL,
    events TEXT NOT NULL,
    UNIQUE (message_seq, first_seq)
  ) STRICT;
  CREATE TABLE message_media (
    message_seq INTEGER NOT NULL,
    media_id TEXT NOT NULL REFERENCES media(id),
    UNIQUE (message_seq, media_id)
  ) STRICT;
  CREATE INDEX message_media_media ON message_media(media_id);
  CREATE TABLE draft_media (
    item_seq INTEGER NOT NULL REFERENCES conversations(item_seq) ON DELETE CASCADE,
    media_id TEXT NOT NULL REFERENCES media(id),
    UNIQUE (item_seq, media_id)
  ) STRICT;
  CREATE INDEX draft_media_media ON draft_media(media_id);
  CREATE TABLE chat_prompts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE assistant_lists (
    account_id TEXT PRIMARY KEY,
    assistants TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE message_unindexed (
    message_seq INTEGER PRIMARY KEY,
    piece INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE chat_leftovers (
    kind TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (kind, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER conversations_left AFTER DELETE ON conversations BEGIN
    INSERT OR IGNORE INTO chat_leftovers VALUES ('item', old.item_seq);
  END;
  CREATE TRIGGER message_media_used AFTER INSERT ON message_media BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER message_media_unused AFTER DELETE ON message_media BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TRIGGER draft_media_used AFTER INSERT ON draft_media BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER draft_media_unused AFTER DELETE ON draft_media BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE INDEX document_pushes_remote ON document_pushes(remote_id) WHERE remote_id IS NOT NULL;
  CREATE VIRTUAL TABLE message_text USING fts5(
    theirs, mine, scope, content='', contentless_delete=1, tokenize='ascii', prefix='1'
  );
  CREATE INDEX conversations_who ON conversations(who, pinned, last_at, item_seq);
  CREATE INDEX conversations_folder ON conversations(folder_id, pinned, last_at, item_seq) WHERE folder_id IS NOT NULL;
  CREATE TABLE message_parts (
    message_seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    start INTEGER NOT NULL,
    units INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (message_seq, kind, start)
  ) STRICT;
`

/**
 * Voices as listed by the provider, by account: `gone_at` marks those missing from a later complete list, since the
 * audio generated with them stays. `preview_id` is the audio of a voice, fetched once.
 *
 * Own voices: the item, its sample in all versions (`made` is the fix as JSON, `report` the problems found in it), the
 * consent given for it, and the cloning attempts. `voice_samples.version_id` is the current version.
 */
const voices = `
  CREATE TABLE voices (
    account_id TEXT NOT NULL,
    voice TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    create_time TEXT,
    download_url TEXT,
    preview_id TEXT REFERENCES media(id),
    preview_kind TEXT,
    place INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    gone_at INTEGER,
    uses INTEGER NOT NULL DEFAULT 0,
    used_at INTEGER, first_seen_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, voice)
  ) STRICT;
  CREATE INDEX voices_preview ON voices(preview_id) WHERE preview_id IS NOT NULL;
  CREATE TABLE voice_lists (
    account_id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER voices_preview_kept AFTER INSERT ON voices WHEN new.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
  CREATE TRIGGER voices_preview_left AFTER DELETE ON voices WHEN old.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
  END;
  CREATE TRIGGER voices_preview_changed AFTER UPDATE OF preview_id ON voices
    WHEN old.preview_id IS NOT new.preview_id BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
  CREATE TABLE voice_samples (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    source TEXT NOT NULL,
    language TEXT NOT NULL,
    version_id TEXT NOT NULL,
    text TEXT NOT NULL,
    consent TEXT
  ) STRICT;
  CREATE TABLE voice_versions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    media_id TEXT NOT NULL REFERENCES media(id),
    parent_id TEXT,
    made TEXT,
    duration_ms INTEGER NOT NULL,
    report TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX voice_versions_item ON voice_versions(item_seq, seq);
  CREATE TABLE voice_clones (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    version_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    voice_name TEXT NOT NULL,
    input TEXT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    file_id TEXT,
    voice TEXT,
    preview_id TEXT REFERENCES media(id),
    preview_kind TEXT,
    notice TEXT,
    error TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX voice_clones_item ON voice_clones(item_seq, seq);
  CREATE INDEX voice_clones_voice ON voice_clones(account_id, voice);
  CREATE INDEX voice_clones_open ON voice_clones(seq)
  WHERE state IN ('waiting', 'uploading', 'cloning', 'asking');
  CREATE TRIGGER voice_versions_kept AFTER INSERT ON voice_versions BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER voice_versions_left AFTER DELETE ON voice_versions BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TRIGGER voice_clones_kept AFTER INSERT ON voice_clones WHEN new.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
  CREATE TRIGGER voice_clones_left AFTER DELETE ON voice_clones WHEN old.preview_id IS NOT NULL BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
  END;
  CREATE TRIGGER voice_clones_changed AFTER UPDATE OF preview_id ON voice_clones
    WHEN old.preview_id IS NOT new.preview_id BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.preview_id;
    UPDATE media SET uses = uses + 1 WHERE id = new.preview_id;
  END;
`

/**
 * Narrations: items of kind `speech`, their segments in the order of `place`, and every take of a segment.
 * `round_seq`: takes from this number on belong to the running request; `fresh`: no earlier take is reused for it;
 * `again`: how often it was regenerated automatically; `place` below 0: no longer part of the text, but its takes are
 * kept. `speech_unindexed` lists outdated search rows (number: place of the segment).
 *
 * `revision` increases with every change of the selected takes, so that it takes no reading of all of them to know
 * whether the joined audio is up to date; the positions of its segments are stored next to it (`joined_places`). A
 * long text is split into rows in several writes, and `placing` contains it until the last.
 */
const speech = `
  CREATE TABLE speeches (
    item_seq INTEGER PRIMARY KEY REFERENCES items(seq) ON DELETE CASCADE,
    settings TEXT NOT NULL,
    length INTEGER NOT NULL DEFAULT 0,
    joined TEXT,
    joined_media TEXT REFERENCES media(id),
    joined_peaks TEXT REFERENCES media(id),
    revision INTEGER NOT NULL DEFAULT 0,
    joined_places TEXT,
    placing TEXT
  ) STRICT;
  CREATE INDEX speeches_joined ON speeches(joined_media);
  CREATE INDEX speeches_peaks ON speeches(joined_peaks);
  CREATE TABLE speech_pieces (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES speeches(item_seq) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    text TEXT NOT NULL,
    paragraph INTEGER NOT NULL,
    state TEXT NOT NULL,
    take_seq INTEGER,
    pinned INTEGER NOT NULL DEFAULT 0,
    account_id TEXT,
    fresh INTEGER NOT NULL DEFAULT 0,
    round_seq INTEGER NOT NULL DEFAULT 0,
    again INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    error TEXT
  ) STRICT;
  CREATE INDEX speech_pieces_item ON speech_pieces(item_seq, place);
  CREATE INDEX speech_pieces_open ON speech_pieces(item_seq, place)
  WHERE state IN ('queued', 'speaking', 'checking');
  CREATE TABLE speech_takes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    item_seq INTEGER NOT NULL REFERENCES speeches(item_seq) ON DELETE CASCADE,
    piece_seq INTEGER NOT NULL,
    media_id TEXT NOT NULL REFERENCES media(id),
    text TEXT NOT NULL,
    voice TEXT NOT NULL,
    voice_name TEXT NOT NULL,
    speed REAL NOT NULL,
    volume REAL NOT NULL,
    watermark INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    engine TEXT,
    notice TEXT,
    sound TEXT NOT NULL,
    favourite INTEGER NOT NULL DEFAULT 0,
    reused INTEGER NOT NULL DEFAULT 0,
    heard TEXT,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX speech_takes_item ON speech_takes(item_seq);
  CREATE INDEX speech_takes_piece ON speech_takes(piece_seq, seq);
  CREATE INDEX speech_takes_same ON speech_takes(fingerprint, seq);
  CREATE INDEX speech_takes_media ON speech_takes(media_id);
  CREATE INDEX speech_takes_voice ON speech_takes(account_id, voice, created_at);
  CREATE TABLE speech_unindexed (
    item_seq INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (item_seq, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER speech_takes_used AFTER INSERT ON speech_takes BEGIN
    UPDATE media SET uses = uses + 1 WHERE id = new.media_id;
  END;
  CREATE TRIGGER speech_takes_unused AFTER DELETE ON speech_takes BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.media_id;
  END;
  CREATE TRIGGER speeches_joined_anew AFTER UPDATE OF joined_media, joined_peaks ON speeches BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.joined_media;
    UPDATE media SET uses = uses - 1 WHERE id = old.joined_peaks;
    UPDATE media SET uses = uses + 1 WHERE id = new.joined_media;
    UPDATE media SET uses = uses + 1 WHERE id = new.joined_peaks;
  END;
  CREATE TRIGGER speeches_gone AFTER DELETE ON speeches BEGIN
    UPDATE media SET uses = uses - 1 WHERE id = old.joined_media;
    UPDATE media SET uses = uses - 1 WHERE id = old.joined_peaks;
    DELETE FROM speech_unindexed WHERE item_seq = old.item_seq;
  END;
  CREATE INDEX speech_pieces_due ON speech_pieces(coalesce(account_id, ''), fresh DESC, item_seq, place)
  WHERE state IN ('queued', 'speaking', 'checking');
  CREATE INDEX speech_pieces_waiting ON speech_pieces(next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE INDEX speech_pieces_failed ON speech_pieces(account_id) WHERE state = 'failed';
  CREATE INDEX speech_pieces_states ON speech_pieces(item_seq, state, next_try_at) WHERE place >= 0;
  CREATE INDEX speeches_placing ON speeches(item_seq) WHERE placing IS NOT NULL;
`

/**
 * Local mirror of the knowledge bases a provider lists, by account: nothing is deleted because a provider no longer
 * lists it; `gone_at` is since when, `gone_why` whether it was deleted from here. `place` is the provider’s order,
 * `seen_at` when it was last listed (Unix ms). `knowledge_uploads` are files and URLs being added to a knowledge base;
 * an accepted file is released.
 *
 * `knowledge_images` is the provider’s list of the images in a document’s slices, `knowledge_pictures` their download
 * status: `key` is the URL without its signature, which differs in each list. A saved image is in use.
 */
const knowledge = `
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
`

/**
 * Queries to knowledge bases. A question has an item (its test set), or none when it was asked in the Playground.
 * Ratings of slices are stored by their ID and a hash of their text. A run consists of rows, one for each question and
 * retrieval method; a row's results and raw response are stored separately, so that runs are compared using short rows
 * (`ranked`). Citation positions (service-notes 11) are stored with the images they reference: a saved image is in
 * use.
 *
 * `retrieval_unindexed` lists outdated search rows, whatever changed their content. A removed run can be restored for
 * a while (`removed_at`, Unix ms).
 */
const retrieval = `
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

/**
 * Vectors of texts, stored so that no text is paid for twice (service-notes 15). A space is a provider, a model and a
 * number of dimensions: only vectors of one space can be compared. `hash` is the SHA-256 of the text, `vector` 32-bit
 * floats, little-endian. `seq` is never reused: an index outside the database uses it to know what it contains.
 * `vectors` of a space is its number of rows, which are slow to count.
 *
 * Semantic search. An index belongs to one space of vectors; `kinds` and `since` define its items. `semantic_items`
 * are the requested ones, `stamp` the modification time their chunks reflect. A chunk is a text with the parts of its
 * item that it is joined from; chunks never change, and their numbers are never reused. Chunks of a deleted item have
 * no references and are deleted in steps (`semantic_leftovers`): a document has thousands. Vectors are deleted with
 * their last chunk.
 */
const vectors = `
  CREATE TABLE vector_spaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space TEXT NOT NULL,
    model TEXT NOT NULL,
    dimensions INTEGER NOT NULL,
    vectors INTEGER NOT NULL DEFAULT 0,
    UNIQUE (space, model, dimensions)
  ) STRICT;
  CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id INTEGER NOT NULL REFERENCES vector_spaces(id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (space_id, hash)
  ) STRICT;
  CREATE TABLE semantic_indexes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    space_id INTEGER NOT NULL UNIQUE REFERENCES vector_spaces(id) ON DELETE CASCADE,
    account_id TEXT NOT NULL,
    account_name TEXT NOT NULL,
    model TEXT NOT NULL,
    kinds TEXT NOT NULL,
    since INTEGER,
    state TEXT NOT NULL,
    error TEXT,
    engine TEXT,
    notice TEXT,
    removed INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE semantic_items (
    seq INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL REFERENCES semantic_indexes(id) ON DELETE CASCADE,
    item_seq INTEGER NOT NULL REFERENCES items(seq) ON DELETE CASCADE,
    state TEXT NOT NULL,
    stamp INTEGER NOT NULL DEFAULT 0,
    chunks INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    UNIQUE (index_id, item_seq)
  ) STRICT;
  CREATE INDEX semantic_items_item ON semantic_items(item_seq);
  CREATE INDEX semantic_items_state ON semantic_items(index_id, state, item_seq);
  CREATE TABLE semantic_chunks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    index_id INTEGER NOT NULL,
    item_seq INTEGER NOT NULL,
    vector_seq INTEGER NOT NULL REFERENCES vectors(seq) ON DELETE CASCADE,
    digest INTEGER NOT NULL,
    parts TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX semantic_chunks_index ON semantic_chunks(index_id, seq, item_seq, digest);
  CREATE INDEX semantic_chunks_item ON semantic_chunks(item_seq, index_id);
  CREATE INDEX semantic_chunks_vector ON semantic_chunks(vector_seq);
  CREATE TABLE semantic_leftovers (
    seq INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL,
    item_seq INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER semantic_items_left AFTER DELETE ON semantic_items WHEN old.chunks > 0 BEGIN
    INSERT INTO semantic_leftovers(index_id, item_seq) VALUES (old.index_id, old.item_seq);
  END;
  CREATE TRIGGER semantic_chunks_removed AFTER DELETE ON semantic_chunks BEGIN
    UPDATE semantic_indexes SET removed = removed + 1 WHERE id = old.index_id;
  END;
`

/**
 * Rankings with their candidates and the rounds of their requests. A ranking in Trash has `removed_at`. The texts of
 * its candidates are stored by hash, so that rankings of the same texts can be found.
 *
 * Embedded texts, with the vectors of each choice of model and dimensions. Texts and vectors are files: a file
 * referenced by a run is in use.
 */
const rankingsAndEmbeddings = `
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
`

/**
 * Items fetched from the provider by ID: Responses and conversations of the slides agent (`lookups`). Each snapshot
 * that differed from the previous one is a version with its response. Files referenced by responses (`kept_files`)
 * belong to a task or to a version (`owner_id`), without a foreign key: an owner that could not be recovered from a
 * damaged file must not delete its files. Removed items can be restored for a while (`removed_at`, Unix ms).
 */
const remoteItems = `
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
`

/**
 * Tags for entries that are not items: runs, remote items, knowledge bases, voices of the provider. The Library lists
 * all of them by time, so each table has an index by it; the time a voice was first listed is stored, as for knowledge
 * bases and their documents.
 */
const entries = `
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

/** Creates all tables, indexes and triggers in an empty database. */
export function createSchema(db: Database.Database): void {
  for (const part of [
    library,
    runs,
    tasks,
    meetings,
    documents,
    chats,
    voices,
    speech,
    knowledge,
    retrieval,
    vectors,
    rankingsAndEmbeddings,
    remoteItems,
    entries,
  ])
    db.exec(part)
  defaultMerging(db)
  defaultMerging(db, 'message_text')
}
