import type { Ranking } from '../../../../shared/model/rerank.ts'
import { csvField } from '../../../platform/export-files/csv.ts'
import { movesOf, sortedMoves } from '../../../../shared/knowledge/rerank/order.ts'

/** File formats of a ranking. */
export type RankingFormat = 'csv' | 'json' | 'md'

const words = {
  en: {
    rank: 'Rank',
    before: 'Before',
    change: 'Change',
    score: 'Score',
    text: 'Text',
    source: 'Source',
    question: 'Question',
    cut: 'not ranked',
  },
  zh: {
    rank: '名次',
    before: '原名次',
    change: '变化',
    score: '得分',
    text: '文本',
    source: '来源',
    question: '问题',
    cut: '未入选',
  },
} as const

/**
 * Writes a ranking as a file, best first, unranked texts last. Ranks count from 1. CSV has a byte order mark, as spreadsheets
 * require.
 */
export function writeRanking(
  ranking: Ranking,
  format: RankingFormat,
  language: keyof typeof words,
): string {
  const moves = sortedMoves(movesOf(ranking.count, ranking.ranked), 'new')
  const rows = moves.map(({ index, rank, score, up }) => {
    const candidate = ranking.candidates[index]
    return {
      rank: rank === null ? null : rank + 1,
      before: index + 1,
      change: up,
      score,
      text: candidate?.text ?? '',
      source: candidate?.source ?? null,
    }
  })
  if (format === 'json')
    return `${JSON.stringify({ ...headOf(ranking), results: rows }, null, 2)}\n`
  const labels = words[language]
  if (format === 'csv') {
    const lines = [
      [labels.rank, labels.before, labels.change, labels.score, labels.text, labels.source],
      ...rows.map((row) => [
        row.rank ?? '',
        row.before,
        row.change ?? '',
        row.score ?? '',
        row.text,
        row.source?.title ?? '',
      ]),
    ]
    return `\uFEFF${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`
  }
  const table = rows.map(
    ({ rank, before, change, score, text, source }) =>
      `| ${rank ?? labels.cut} | ${before} | ${change === null ? '' : signed(change)} | ${score ?? ''} | ${inCell(text)} | ${inCell(source?.title ?? '')} |`,
  )
  return [
    `# ${inCell(ranking.title)}`,
    '',
    `${labels.question}: ${inCell(ranking.query)}`,
    '',
    `| ${labels.rank} | ${labels.before} | ${labels.change} | ${labels.score} | ${labels.text} | ${labels.source} |`,
    '| ---: | ---: | ---: | ---: | --- | --- |',
    ...table,
    '',
  ].join('\n')
}

const headOf = ({ title, query, accountName, engine, topN, rawScores, createdAt }: Ranking) => ({
  title,
  query,
  account: accountName,
  engine,
  topN,
  rawScores,
  at: new Date(createdAt).toISOString(),
})

const signed = (change: number): string => (change > 0 ? `+${change}` : String(change))

/** Returns a CSV cell: text is never a formula, numbers stay numbers. */
const cell = (value: string | number): string => csvField(String(value))

/** Escapes text for a cell of a Markdown table, on one line. */
const inCell = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#]/g, (sign) => `\\${sign}`)
