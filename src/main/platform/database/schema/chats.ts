import { z } from 'zod'
import { chatSettings } from '../../../../shared/contract/chat-settings.ts'
import type { AnswerPart } from '../../../../shared/chats/shown-answer.ts'
import type { MessageState } from '../../../../shared/model/chat.ts'
import { repairChats } from './chats-salvage.ts'
import { list, number, orNull, text, texts, withDefault } from './json.ts'
import { type Domain, ofItem, onImport, values } from './table.ts'

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
const sql = `
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

const anyChat = {
  kind: 'agent',
  knowledgeIds: [],
  topK: null,
  topN: null,
  rerank: false,
  similarityThreshold: null,
  model: null,
  temperature: null,
  maxSteps: null,
  thinking: false,
}
const attachments = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('image'), mediaId: text, name: text }),
    z.looseObject({
      kind: z.literal('document'),
      itemId: text,
      title: text,
      pages: text,
      sent: text.optional(),
    }),
    z.looseObject({ kind: z.literal('meeting'), itemId: text, name: text }),
    z.looseObject({ kind: z.literal('file'), mediaId: text, name: text, fileId: text.nullable() }),
  ]),
)
const when = { textAt: number, startedAt: number }
const steps = z.array(
  z.discriminatedUnion('kind', [
    z.looseObject({ kind: z.enum(['reasoning', 'thought']), text, ...when }),
    z.looseObject({
      kind: z.literal('call'),
      tool: text,
      callId: text,
      result: z.looseObject({ status: text }).nullable(),
      ...when,
    }),
    z.looseObject({ kind: z.literal('tool'), call: z.looseObject({ type: text }), ...when }),
    z.looseObject({ kind: z.literal('unknown'), name: text, ...when }),
  ]),
)
const assistants = z.array(
  z.looseObject({
    id: text,
    name: text,
    description: text,
    avatar: text.nullable(),
    tools: texts,
    tags: texts,
    starterPrompts: z.array(z.union([text, z.looseObject({ title: text, text })])),
  }),
)
const ofMessage = { of: { column: 'message_seq', table: 'messages' } } as const

/** Tokens of all answers by kind; a kind that no answer counted stays unknown. */
const tokenSums = ['prompt', 'completion', 'total', 'reasoning', 'cached']
  .map((kind) => `'${kind}', sum(json_extract(usage, '$.${kind}'))`)
  .join(', ')

/** Chats with their messages. */
export const chats: Domain = {
  sql,
  category: 'chats',
  former: { chat_folders: {} },
  tables: {
    conversations: {
      merge: ofItem,
      json: {
        settings: withDefault(chatSettings, anyChat),
        draft: orNull(z.looseObject({ text, attachments })),
      },
    },
    messages: {
      merge: ofItem,
      deletedInSteps: 'item_seq',
      references: ['message_seq', 'parent_seq', 'chosen_seq', 'leaf_seq'],
      values: {
        role: ['user', 'assistant'],
        state: values<MessageState>({
          done: 1,
          queued: 1,
          waiting: 1,
          running: 1,
          stopped: 1,
          failed: 1,
          broken: 1,
        }),
      },
      reset: [onImport(`state = 'done'`, `state IN ('queued', 'waiting')`)],
    },
    message_bodies: {
      merge: ofMessage,
      deletedInSteps: 'message_seq',
      values: { role: ['user', 'assistant'] },
      json: {
        steps: orNull(steps),
        attachments: orNull(attachments),
        settings: orNull(chatSettings),
        slices: orNull(z.array(z.looseObject({ requestId: text, nodeId: text, at: number }))),
      },
    },
    message_events: {
      merge: ofMessage,
      deletedInSteps: 'message_seq',
      json: { events: list(z.array(z.looseObject({ t: text }))) },
    },
    message_parts: {
      merge: ofMessage,
      deletedInSteps: 'message_seq',
      values: { kind: values<AnswerPart['kind']>({ text: 1, steps: 1 }) },
    },
    message_media: {
      merge: ofMessage,
      deletedInSteps: 'message_seq',
      files: { media_id: {} },
      // Images of an answer.
      received: `JOIN messages ON seq = message_seq WHERE role <> 'user'`,
      entry: {
        rank: 12,
        kinds: ['picture'],
        from: `message_media t CROSS JOIN messages m ON m.seq = t.message_seq CROSS JOIN items i ON i.seq = m.item_seq`,
        id: 't.media_id',
        title: 'i.title',
        account: `''`,
        state: 'NULL',
        owner: [`'conversation'`, 'i.id', 'm.id'],
        at: 'm.created_at',
        place: 't.rowid',
        where: `m.role = 'assistant' AND i.deleted_at IS NULL AND i.kind <> 'temporary'`,
        identity: ['m.id', 't.media_id'],
      },
    },
    draft_media: { merge: ofItem, files: { media_id: {} } },
    chat_prompts: { merge: { same: ['id'] } },
    assistant_lists: { merge: { same: ['account_id'] }, json: { assistants: list(assistants) } },
    message_unindexed: { merge: 'derived' },
    message_text: { merge: 'derived' },
    chat_leftovers: { merge: 'derived' },
  },
  counts: `
    UPDATE conversations SET (messages, usage) = (
      SELECT count(*), iif(count(usage) = 0, NULL, json_object(${tokenSums})) FROM messages m
      WHERE m.item_seq = conversations.item_seq)`,
  repair: repairChats,
}
