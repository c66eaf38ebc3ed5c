import type Database from 'better-sqlite3'

/**
 * Repairs chats of a damaged library. A chat or message whose own row could not be read is recreated from its
 * dependents; a message without its parent, which is always older, is attached to the newest one before it. If the end
 * of the shown branch was lost, it is the newest message. A message whose text was lost gets an error and is not sent.
 */
export function repairChats(db: Database.Database): void {
  db.exec(`
    INSERT INTO conversations(item_seq, settings, who, account_id, account_name, last_at)
    SELECT seq, coalesce(settings, ${defaultSettings}), ${responderIn('coalesce(settings, ' + defaultSettings + ')')}, '', '',
      coalesce((SELECT max(created_at) FROM messages m WHERE m.item_seq = seq), created_at)
    FROM (SELECT seq, created_at, (SELECT settings FROM message_bodies b
      WHERE b.item_seq = i.seq AND settings IS NOT NULL ORDER BY message_seq DESC LIMIT 1) AS settings
      FROM items i WHERE kind IN ('conversation', 'temporary') AND seq NOT IN (SELECT item_seq FROM conversations));

    INSERT INTO messages(seq, id, item_seq, depth, role, state, who, error, created_at)
    SELECT message_seq, 'saved-' || message_seq, b.item_seq, 0, role, iif(role = 'user', 'done', 'broken'),
      iif(b.settings IS NULL, c.who, ${responderIn('b.settings')}), ${lost},
      coalesce((SELECT created_at FROM messages m WHERE m.item_seq = b.item_seq AND m.seq < message_seq ORDER BY m.seq DESC LIMIT 1),
        i.created_at)
    FROM message_bodies b JOIN conversations c USING (item_seq) JOIN items i ON i.seq = b.item_seq
    WHERE message_seq NOT IN (SELECT seq FROM messages);
    UPDATE messages SET parent_seq = (
        SELECT max(seq) FROM messages m WHERE m.item_seq = messages.item_seq AND m.seq < messages.seq)
      WHERE (parent_seq IS NULL AND id GLOB 'saved-*') OR parent_seq >= seq
        OR (parent_seq IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM messages m WHERE m.seq = messages.parent_seq AND m.item_seq = messages.item_seq));
    UPDATE messages SET state = iif(role = 'user', 'done', 'broken'), error = ${lost}
      WHERE seq NOT IN (SELECT message_seq FROM message_bodies) AND state <> 'running';
    INSERT INTO message_bodies(message_seq, item_seq, role, text) SELECT seq, item_seq, role, '' FROM messages
      WHERE seq NOT IN (SELECT message_seq FROM message_bodies);

    CREATE TEMP TABLE depths AS
      WITH RECURSIVE tree(seq, item_seq, depth) AS (
        SELECT seq, item_seq, 0 FROM messages WHERE parent_seq IS NULL
        UNION ALL SELECT m.seq, m.item_seq, tree.depth + 1 FROM tree CROSS JOIN messages m INDEXED BY messages_children
          ON m.item_seq = tree.item_seq AND m.parent_seq = tree.seq)
      SELECT seq, depth FROM tree;
    UPDATE messages SET depth = depths.depth FROM depths WHERE messages.seq = depths.seq AND messages.depth <> depths.depth;
    DROP TABLE depths;

    UPDATE messages SET chosen_seq = (
        SELECT max(seq) FROM messages m INDEXED BY messages_children
        WHERE m.item_seq = messages.item_seq AND m.parent_seq = messages.seq)
      WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.seq = messages.chosen_seq AND m.parent_seq = messages.seq);
    CREATE TEMP TABLE ends AS
      SELECT item_seq, (SELECT max(seq) FROM messages m WHERE m.item_seq = conversations.item_seq) AS leaf FROM conversations
      WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.seq = leaf_seq AND m.item_seq = conversations.item_seq)
        OR EXISTS (SELECT 1 FROM messages m INDEXED BY messages_children
          WHERE m.item_seq = conversations.item_seq AND m.parent_seq = leaf_seq);
    UPDATE conversations SET leaf_seq = ends.leaf FROM ends WHERE ends.item_seq = conversations.item_seq;
    WITH RECURSIVE up(seq, parent) AS (
        SELECT m.seq, m.parent_seq FROM ends CROSS JOIN messages m ON m.seq = ends.leaf
        UNION ALL SELECT m.seq, m.parent_seq FROM up CROSS JOIN messages m ON m.seq = up.parent)
      UPDATE messages SET chosen_seq = up.seq FROM up WHERE messages.seq = up.parent;
    DROP TABLE ends;

    DELETE FROM message_events WHERE message_seq NOT IN (SELECT seq FROM messages WHERE state = 'running');
    UPDATE messages SET events = coalesce((SELECT max(first_seq + count) FROM message_events WHERE message_seq = seq), 0)
      WHERE state = 'running';
    DELETE FROM message_parts WHERE message_seq NOT IN (SELECT seq FROM messages WHERE role = 'assistant');
    DELETE FROM message_parts WHERE kind = 'steps' AND message_seq IN (
      SELECT message_seq FROM message_parts WHERE kind = 'steps' GROUP BY message_seq HAVING sum(units) <> max(start + units));
    DELETE FROM message_media WHERE message_seq NOT IN (SELECT seq FROM messages);
    DELETE FROM message_bodies WHERE message_seq NOT IN (SELECT seq FROM messages);
    DELETE FROM chat_leftovers;
    INSERT INTO chat_leftovers SELECT DISTINCT 'item', item_seq FROM messages
      WHERE item_seq NOT IN (SELECT item_seq FROM conversations)`)
  markIncomplete(db)
}

/** Sets the error of finished answers whose text lacks a part; the parts that could be read stay. */
function markIncomplete(db: Database.Database): void {
  const mark = db.prepare(`UPDATE messages SET state = 'broken', error = ${lost} WHERE seq = ?`)
  const beginning = db
    .prepare<[number], string>('SELECT text FROM message_bodies WHERE message_seq = ?')
    .pluck()
  const texts = db
    .prepare<[], { readonly seq: number; readonly units: number; readonly end: number }>(
      `SELECT p.message_seq AS seq, sum(p.units) AS units, max(p.start + p.units) AS end
       FROM message_parts p CROSS JOIN messages m ON m.seq = p.message_seq
       WHERE p.kind = 'text' AND m.state <> 'running' GROUP BY p.message_seq`,
    )
    .all()
  // Lengths in UTF-16 units, which SQL cannot count.
  for (const { seq, units, end } of texts)
    if ((beginning.get(seq)?.length ?? 0) + units !== end) mark.run(seq)
}

/** SQL equivalent of {@link responderOf}. */
const responderIn = (settings: string): string =>
  `iif(json_extract(${settings}, '$.kind') = 'agent', 'agent', json_extract(${settings}, '$.assistantId'))`

/** Default settings of a chat whose settings were lost: the agent without a knowledge base. */
const defaultSettings = `'{"kind":"agent","knowledgeIds":[],"topK":null,"topN":null,"rerank":false,"similarityThreshold":null,"model":null,"temperature":null,"maxSteps":null,"thinking":true}'`
const lost = `'{"code":"DATABASE_DAMAGED","message":"Part of the message was lost in a damaged library","retriable":false,"at":0}'`
