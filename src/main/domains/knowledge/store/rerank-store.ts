import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  Candidate,
  RankedCandidate,
  Ranking,
  RankingState,
  RankingSummary,
  TextSource,
} from '../../../../shared/model/rerank.ts'
import { AppError } from '../../../errors.ts'
import type { Connection, Value } from '../../../platform/database/connection.ts'
import type { RerankStore } from './rerank-store-types.ts'
import { runReplyColumns } from '../../../platform/database/run-replies.ts'

interface Row {
  readonly id: string
  readonly account_id: string
  readonly account_name: string
  readonly title: string
  readonly query: string
  readonly state: RankingState
  readonly count: number
  readonly top_n: number
  readonly raw_scores: number
  readonly rounds: number
  readonly answered: number
  readonly created_at: number
  readonly updated_at: number
  readonly ended_at: number | null
  readonly removed_at: number | null
  readonly error: string | null
}

interface RoundRow {
  readonly round: number
  readonly scores: string
  readonly request_id: string
  readonly engine: string | null
  readonly notice: string | null
  readonly usage: string | null
}

const columns = `id, account_id, account_name, title, query, state, count, top_n, raw_scores, rounds, answered, created_at,
  updated_at, ended_at, removed_at, error`

/**
 * Store of rankings (architecture rule 8): rows exist from the request on.
 */
export function rerankStore(connection: Connection): RerankStore {
  const summary = (id: string): RankingSummary | undefined => {
    const row = connection.get<Row>(`SELECT ${columns} FROM rankings WHERE id = ?`, id)
    return row && toSummary(row)
  }
  const must = (id: string): RankingSummary => {
    const found = summary(id)
    if (!found) throw new AppError('NOT_FOUND', 'Reranking not found')
    return found
  }
  const rounds = (id: string): readonly RoundRow[] =>
    connection.all<RoundRow>(
      `SELECT round, scores, request_id, engine, notice, usage FROM ranking_rounds WHERE ranking_id = ? ORDER BY round`,
      id,
    )

  return {
    summary,
    create(ranking) {
      const { id, accountId, accountName, title, query, candidates, batch, topN, at } = ranking
      return connection.transaction(() => {
        connection.run(
          `INSERT INTO rankings(id, account_id, account_name, title, query, state, count, batch, top_n, raw_scores, rounds,
             created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?)`,
          id,
          accountId,
          accountName,
          title,
          query,
          candidates.length,
          batch,
          topN,
          Number(ranking.rawScores),
          ranking.rounds,
          at,
          at,
        )
        for (const [place, { text, source }] of candidates.entries())
          connection.run(
            'INSERT INTO ranking_candidates(ranking_id, place, text, hash, source) VALUES (?, ?, ?, ?, ?)',
            id,
            place,
            text,
            hashOf(text),
            source && JSON.stringify(source),
          )
        return must(id)
      })
    },
    get(id) {
      const found = summary(id)
      if (!found) return undefined
      const candidates = connection
        .all<{ text: string; source: string | null }>(
          'SELECT text, source FROM ranking_candidates WHERE ranking_id = ? ORDER BY place',
          id,
        )
        .map(({ text, source }): Candidate => ({
          text,
          source: source === null ? null : (JSON.parse(source) as TextSource),
        }))
      const ranked = connection.get<{ ranked: string | null }>(
        'SELECT ranked FROM rankings WHERE id = ?',
        id,
      )?.ranked
      return {
        ...found,
        candidates,
        ranked: ranked ? (JSON.parse(ranked) as RankedCandidate[]) : [],
        spread: spreadOf(rounds(id).map(({ scores }) => JSON.parse(scores) as RankedCandidate[])),
        ...joined(rounds(id)),
      }
    },
    batch: (id) =>
      connection.get<{ batch: number }>('SELECT batch FROM rankings WHERE id = ?', id)?.batch ?? 1,
    list({ bin, like, before, limit }) {
      const wheres = [bin ? 'removed_at IS NOT NULL' : 'removed_at IS NULL']
      const values: Value[] = []
      if (like !== undefined) {
        wheres.push(`id <> ? AND id IN (SELECT other.ranking_id FROM ranking_candidates own
          JOIN ranking_candidates other ON other.hash = own.hash WHERE own.ranking_id = ?)`)
        values.push(like, like)
      }
      if (before !== undefined) {
        wheres.push('seq < (SELECT seq FROM rankings WHERE id = ?)')
        values.push(before)
      }
      const rows = connection.all<Row>(
        `SELECT ${columns} FROM rankings WHERE ${wheres.join(' AND ')} ORDER BY seq DESC LIMIT ?`,
        ...values,
        limit + 1,
      )
      const page = rows.slice(0, limit)
      const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null
      return { rankings: page.map(toSummary), next }
    },
    unfinished: () =>
      connection
        .all<{ id: string }>(`SELECT id FROM rankings WHERE state = 'running' ORDER BY seq`)
        .map(({ id }) => id),
    keepRound(id, round, answer, at) {
      return connection.transaction(() => {
        must(id)
        connection.run(
          `INSERT OR REPLACE INTO ranking_rounds(ranking_id, round, scores, request_id, engine, notice, usage, status,
             content_type, body, packed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          id,
          round,
          JSON.stringify(answer.scores),
          answer.requestId,
          answer.engine,
          answer.notice,
          answer.usage && JSON.stringify(answer.usage),
          ...(answer.reply ? runReplyColumns(answer.reply) : [null, null, null, null]),
        )
        connection.run(
          `UPDATE rankings SET updated_at = ?,
             answered = (SELECT count(*) FROM ranking_rounds WHERE ranking_id = id) WHERE id = ?`,
          at,
          id,
        )
        return must(id)
      })
    },
    answers: (id) =>
      new Map(
        rounds(id).map(({ round, scores }) => [round, JSON.parse(scores) as RankedCandidate[]]),
      ),
    finish(id, { state, at, error, ranked }) {
      connection.run(
        `UPDATE rankings SET state = ?, updated_at = ?, ended_at = ?, error = ?, ranked = coalesce(?, ranked) WHERE id = ?`,
        state,
        at,
        state === 'running' ? null : at,
        error ? JSON.stringify(error) : null,
        ranked ? JSON.stringify(ranked) : null,
        id,
      )
      return must(id)
    },
    reply(id, round) {
      must(id)
      const row = connection.get<{
        status: number | null
        content_type: string | null
        body: string | null
        packed: Uint8Array | null
      }>(
        'SELECT status, content_type, body, packed FROM ranking_rounds WHERE ranking_id = ? AND round = ?',
        id,
        round,
      )
      if (!row || row.status === null) return null
      const body = row.packed ? inflateRawSync(row.packed).toString('utf8') : (row.body ?? '')
      return { status: row.status, contentType: row.content_type ?? '', body }
    },
    rename(id, title, at) {
      connection.run('UPDATE rankings SET title = ?, updated_at = ? WHERE id = ?', title, at, id)
      return must(id)
    },
    bin(ids, at) {
      const listed = JSON.stringify(ids)
      connection.run(
        'UPDATE rankings SET removed_at = ? WHERE id IN (SELECT value FROM json_each(?))',
        at,
        listed,
      )
      return connection
        .all<Row>(
          `SELECT ${columns} FROM rankings WHERE id IN (SELECT value FROM json_each(?))`,
          listed,
        )
        .map(toSummary)
    },
    purge(before) {
      return connection
        .all<{ id: string }>(
          'SELECT id FROM rankings WHERE removed_at IS NOT NULL AND removed_at < ?',
          before,
        )
        .map(({ id }) => {
          connection.run('DELETE FROM rankings WHERE id = ?', id)
          return id
        })
    },
  }
}

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

function toSummary(row: Row): RankingSummary {
  return {
    id: row.id,
    title: row.title,
    query: row.query,
    state: row.state,
    accountId: row.account_id,
    accountName: row.account_name,
    count: row.count,
    topN: row.top_n,
    rawScores: row.raw_scores === 1,
    rounds: { all: row.rounds, answered: row.answered },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
    removedAt: row.removed_at,
    error: row.error === null ? null : (JSON.parse(row.error) as Failure),
  }
}

/** Combines the fields of all rounds other than their scores. */
function joined(
  rows: readonly RoundRow[],
): Pick<Ranking, 'requestIds' | 'engine' | 'notice' | 'usage'> {
  const notices = new Set(rows.flatMap(({ notice }) => notice ?? []))
  const usages = rows.flatMap(({ usage }) =>
    usage === null ? [] : [JSON.parse(usage) as NonNullable<Ranking['usage']>],
  )
  const sum = (name: 'promptTokens' | 'completionTokens' | 'totalTokens'): number | null =>
    usages.some((usage) => usage[name] !== null)
      ? usages.reduce((all, usage) => all + (usage[name] ?? 0), 0)
      : null
  return {
    requestIds: rows.map(({ request_id: id }) => id),
    engine: rows.find(({ engine }) => engine !== null)?.engine ?? null,
    notice: notices.size > 0 ? [...notices].join(' ') : null,
    usage:
      usages.length === 0
        ? null
        : {
            promptTokens: sum('promptTokens'),
            completionTokens: sum('completionTokens'),
            totalTokens: sum('totalTokens'),
          },
  }
}

/**
 * Returns the maximum difference between scores of the same text in different requests; null when no text was scored twice.
 * If a request shifts all its scores equally, two texts of different requests that differ by twice as much are in the right
 * order.
 */
function spreadOf(rounds: readonly (readonly RankedCandidate[])[]): number | null {
  const first = new Map<number, number>()
  let spread: number | null = null
  for (const results of rounds)
    for (const { index, score } of results) {
      const before = first.get(index)
      if (before === undefined) first.set(index, score)
      else spread = Math.max(spread ?? 0, Math.abs(before - score))
    }
  return spread
}
