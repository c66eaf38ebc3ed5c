import { defaultMerging } from '../search-merge.ts'
import type { Migration } from './index.ts'

/**
 * Chats: items of kind `conversation` (temporary ones: `temporary`) with trees of messages. `messages.parent_seq` and the
 * rows of a message have no foreign keys: a chat with thousands of messages is deleted at once, and its rows follow in steps
 * (`chat_leftovers`). `chosen_seq` is the child shown last, `conversations.leaf_seq` the end of the shown branch. Long data
 * is stored next to the messages, so that walking the tree reads little; it contains its owner, in case the message is lost.
 * Rows `seq * 4096 + piece` of `message_text` contain a message's text, with question and answer in separate columns; text
 * that is too long to tokenize at once waits in `message_unindexed` with the next piece.
 */
export const chats: Migration = {
  version: 100,
  up: (db) => {
    db.exec(`
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
      CREATE INDEX conversations_folder ON conversations(folder_id) WHERE folder_id IS NOT NULL;
      CREATE INDEX conversations_who ON conversations(who);

      CREATE TABLE conversation_tags (
        item_seq INTEGER NOT NULL REFERENCES conversations(item_seq) ON DELETE CASCADE,
        tag TEXT NOT NULL,
        UNIQUE (item_seq, tag)
      ) STRICT;
      CREATE INDEX conversation_tags_tag ON conversation_tags(tag, item_seq);

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
        ended_at INTEGER
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
    `)
    defaultMerging(db, 'message_text')
  },
}
