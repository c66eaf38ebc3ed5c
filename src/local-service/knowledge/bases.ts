import type { State } from '../state.ts'

/** Fields of a knowledge base (service-notes 7). */
export interface BaseFields {
  readonly name: string
  readonly description: string
  readonly embeddingId: number
  /** 0 or 1. */
  readonly contextual: number
  readonly background: string
  readonly icon: string
}

/**
 * Knowledge base with the totals of its documents; `bytes` of the files, words and tokens of the extracted text.
 */
export interface StoredBase extends BaseFields {
  readonly id: string
  readonly documents: number
  readonly bytes: number
  readonly tokens: number
  readonly words: number
}

/** Knowledge bases in the database of the local service. */
export interface BaseStore {
  create(fields: BaseFields, facts: { readonly id: string; readonly at: number }): void
  get(id: string): StoredBase | undefined
  /** Newest first. */
  list(page: number, size: number): readonly StoredBase[]
  count(): number
  update(id: string, fields: BaseFields): void
  /** Deletes the knowledge base with its documents and slices. */
  delete(id: string): void
  used(): { readonly words: number; readonly bytes: number }
}

const columns = `
  b.id, b.embedding_id AS embeddingId, b.name, b.description, b.contextual, b.background, b.icon,
  count(d.id) AS documents, coalesce(sum(d.bytes), 0) AS bytes, coalesce(sum(d.tokens), 0) AS tokens,
  coalesce(sum(d.words), 0) AS words
  FROM knowledge_bases b LEFT JOIN knowledge_documents d ON d.base_id = b.id`

/** Opens the store on existing tables. */
export function openBaseStore(state: State): BaseStore {
  const one = state.prepare<[string], StoredBase>(`SELECT ${columns} WHERE b.id = ? GROUP BY b.id`)
  const some = state.prepare<[number, number], StoredBase>(
    `SELECT ${columns} GROUP BY b.id ORDER BY b.created_at DESC, b.rowid DESC LIMIT ? OFFSET ?`,
  )
  const total = state.prepare<[], { n: number }>('SELECT count(*) AS n FROM knowledge_bases')
  const sums = state.prepare<[], { words: number; bytes: number }>(
    'SELECT coalesce(sum(words), 0) AS words, coalesce(sum(bytes), 0) AS bytes FROM knowledge_documents',
  )
  const insert = state.prepare(
    `INSERT INTO knowledge_bases (id, created_at, name, description, embedding_id, contextual, background, icon)
     VALUES (@id, @at, @name, @description, @embeddingId, @contextual, @background, @icon)`,
  )
  const change = state.prepare(
    `UPDATE knowledge_bases SET name = @name, description = @description, embedding_id = @embeddingId,
     contextual = @contextual, background = @background, icon = @icon WHERE id = @id`,
  )
  const remove = state.prepare('DELETE FROM knowledge_bases WHERE id = ?')
  return {
    create: (fields, facts) => void insert.run({ ...fields, ...facts }),
    get: (id) => one.get(id),
    list: (page, size) => some.all(size, (page - 1) * size),
    count: () => total.get()?.n ?? 0,
    update: (id, fields) => void change.run({ ...fields, id }),
    delete: (id) => void remove.run(id),
    used: () => sums.get() ?? { words: 0, bytes: 0 },
  }
}
