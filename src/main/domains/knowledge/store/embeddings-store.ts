import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  EmbeddingChoice,
  EmbeddingModelName,
  EmbeddingRun,
  EmbeddingSet,
  EmbeddingState,
} from '../../../../shared/model/embeddings.ts'
import { AppError } from '../../../errors.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'

/** A new run. */
interface NewEmbeddingRun {
  readonly id: string
  readonly accountId: string
  readonly accountName: string
  readonly title: string
  readonly count: number
  readonly textsMediaId: string
  readonly sets: readonly EmbeddingChoice[]
  /** Unix milliseconds. */
  readonly at: number
}

/** Changeable fields of a set. */
export type SetPatch = Partial<Omit<EmbeddingSet, keyof EmbeddingChoice>>

/** Texts with their vectors (service-notes 15), Trash included. */
export interface EmbeddingStore {
  create(run: NewEmbeddingRun): EmbeddingRun
  get(id: string): EmbeddingRun | undefined
  /** Newest first. */
  list(query: {
    bin: boolean
    /** Media ID of the texts. */
    texts?: string | undefined
    before?: string | undefined
    limit: number
  }): {
    readonly runs: readonly EmbeddingRun[]
    readonly next: string | null
  }
  /** Running and waiting runs, oldest first; runs in Trash are excluded. */
  open(): readonly Pick<EmbeddingRun, 'id' | 'accountId' | 'state'>[]
  /** Changes a set. A new file replaces the old one, whose ID is returned when it is no longer used. */
  changeSet(id: string, place: number, patch: SetPatch, at: number): readonly string[]
  change(id: string, state: EmbeddingState, at: number, error?: Failure | null): EmbeddingRun
  rename(id: string, title: string, at: number): EmbeddingRun
  /** Moves runs to Trash, or restores them (null). */
  bin(ids: readonly string[], at: number | null): readonly EmbeddingRun[]
  /**
   * Permanently deletes the runs moved to Trash before this time (Unix ms); returns the media IDs that are no longer used.
   */
  purge(before: number): readonly string[]
}

interface Row {
  readonly id: string
  readonly account_id: string
  readonly account_name: string
  readonly title: string
  readonly state: EmbeddingState
  readonly count: number
  readonly texts_media_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly ended_at: number | null
  readonly removed_at: number | null
  readonly error: string | null
}

interface SetRow {
  readonly model: EmbeddingModelName
  readonly dimensions: number
  readonly state: EmbeddingSet['state']
  readonly done: number
  readonly of: number
  readonly cached: number
  readonly calls: number
  readonly usage: string | null
  readonly engine: string | null
  readonly notice: string | null
  readonly media_id: string | null
}

export function embeddingStore(connection: Connection): EmbeddingStore {
  const whole = (row: Row): EmbeddingRun => ({
    id: row.id,
    title: row.title,
    state: row.state,
    accountId: row.account_id,
    accountName: row.account_name,
    count: row.count,
    textsMediaId: row.texts_media_id,
    sets: connection
      .all<SetRow>('SELECT * FROM embedding_sets WHERE run_id = ? ORDER BY place', row.id)
      .map(toSet),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
    removedAt: row.removed_at,
    error: row.error === null ? null : (JSON.parse(row.error) as Failure),
  })
  const get = (id: string): EmbeddingRun | undefined => {
    const row = connection.get<Row>('SELECT * FROM embedding_runs WHERE id = ?', id)
    return row && whole(row)
  }
  const must = (id: string): EmbeddingRun => {
    const run = get(id)
    if (!run) throw new AppError('NOT_FOUND', 'Embedding run not found')
    return run
  }
  const use = (id: string, mediaId: string): void =>
    void connection.run(
      'INSERT OR IGNORE INTO embedding_media(run_id, media_id) VALUES (?, ?)',
      id,
      mediaId,
    )
  const unused = (ids: readonly string[]): readonly string[] =>
    ids.filter((id) => connection.get('SELECT 1 FROM media WHERE id = ? AND uses = 0', id))

  return {
    get,
    create({ id, accountId, accountName, title, count, textsMediaId, sets, at }) {
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO embedding_runs(id, account_id, account_name, title, state, count, texts_media_id, created_at, updated_at)
           VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?)`,
          id,
          accountId,
          accountName,
          title,
          count,
          textsMediaId,
          at,
          at,
        )
        use(id, textsMediaId)
        for (const [place, { model, dimensions }] of sets.entries())
          connection.run(
            `INSERT INTO embedding_sets(run_id, place, model, dimensions, state) VALUES (?, ?, ?, ?, 'waiting')`,
            id,
            place,
            model,
            dimensions,
          )
        return must(id)
      })
    },
    list({ bin, texts, before, limit }) {
      const values: Value[] = [
        ...(texts === undefined ? [] : [texts]),
        ...(before === undefined ? [] : [before]),
      ]
      const rows = connection.all<Row>(
        `SELECT * FROM embedding_runs WHERE removed_at IS ${bin ? 'NOT NULL' : 'NULL'}
         ${texts === undefined ? '' : 'AND texts_media_id = ?'}
         ${before === undefined ? '' : 'AND seq < (SELECT seq FROM embedding_runs WHERE id = ?)'}
         ORDER BY seq DESC LIMIT ?`,
        ...values,
        limit + 1,
      )
      const page = rows.slice(0, limit)
      const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null
      return { runs: page.map(whole), next }
    },
    open: () =>
      connection.all(
        `SELECT id, account_id AS accountId, state FROM embedding_runs
         WHERE state IN ('running', 'waiting') AND removed_at IS NULL ORDER BY seq`,
      ),
    changeSet(id, place, patch, at) {
      return connection.transaction(() => {
        const before = must(id).sets[place]
        if (!before) return []
        const next = { ...before, ...patch }
        connection.run(
          `UPDATE embedding_sets SET state = ?, done = ?, of = ?, cached = ?, calls = ?, usage = ?, engine = ?, notice = ?,
             media_id = ? WHERE run_id = ? AND place = ?`,
          next.state,
          next.done,
          next.of,
          next.cached,
          next.calls,
          next.usage && JSON.stringify(next.usage),
          next.engine,
          next.notice,
          next.mediaId,
          id,
          place,
        )
        connection.run('UPDATE embedding_runs SET updated_at = ? WHERE id = ?', at, id)
        if (next.mediaId !== null) use(id, next.mediaId)
        const old = before.mediaId
        if (old === null || old === next.mediaId) return []
        if (!must(id).sets.some(({ mediaId }) => mediaId === old))
          connection.run('DELETE FROM embedding_media WHERE run_id = ? AND media_id = ?', id, old)
        return unused([old])
      })
    },
    change(id, state, at, error) {
      const ends = state !== 'running' && state !== 'waiting'
      connection.run(
        'UPDATE embedding_runs SET state = ?, updated_at = ?, ended_at = ?, error = ? WHERE id = ?',
        state,
        at,
        ends ? at : null,
        error ? JSON.stringify(error) : null,
        id,
      )
      return must(id)
    },
    rename(id, title, at) {
      connection.run(
        'UPDATE embedding_runs SET title = ?, updated_at = ? WHERE id = ?',
        title,
        at,
        id,
      )
      return must(id)
    },
    bin(ids, at) {
      const listed = JSON.stringify(ids)
      connection.run(
        'UPDATE embedding_runs SET removed_at = ? WHERE id IN (SELECT value FROM json_each(?))',
        at,
        listed,
      )
      return connection
        .all<Row>(
          'SELECT * FROM embedding_runs WHERE id IN (SELECT value FROM json_each(?))',
          listed,
        )
        .map(whole)
    },
    purge(before) {
      return connection.transaction(() => {
        const gone = `SELECT id FROM embedding_runs WHERE removed_at IS NOT NULL AND removed_at < ?`
        const media = connection.all<{ id: string }>(
          `SELECT DISTINCT media_id AS id FROM embedding_media WHERE run_id IN (${gone})`,
          before,
        )
        connection.run(
          'DELETE FROM embedding_runs WHERE removed_at IS NOT NULL AND removed_at < ?',
          before,
        )
        return unused(media.map(({ id }) => id))
      })
    },
  }
}

const toSet = (row: SetRow): EmbeddingSet => ({
  model: row.model,
  dimensions: row.dimensions,
  state: row.state,
  done: row.done,
  of: row.of,
  cached: row.cached,
  calls: row.calls,
  usage: row.usage === null ? null : (JSON.parse(row.usage) as EmbeddingSet['usage']),
  engine: row.engine,
  notice: row.notice,
  mediaId: row.media_id,
})
