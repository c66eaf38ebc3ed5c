import { matchExpression, type Term } from '../../../../shared/text/query.ts'
import {
  monthToken,
  responderToken,
  yearToken,
  type MessageQuery,
} from '../../chats/store/index.ts'

/** Filter of a message search. */
type MessageFilter = Pick<MessageQuery, 'who' | 'role' | 'from' | 'to'>

/** Returns the terms as an expression over the texts of messages: of one role, or of both. */
export function textExpression(terms: readonly Term[], role: MessageQuery['role']): string {
  const columns = role === undefined ? '{mine theirs}' : role === 'user' ? 'mine' : 'theirs'
  return `${columns} : (${matchExpression(terms)})`
}

/**
 * Returns the full expression, with filters that the index supports. Days are checked on the rows: the index only has months
 * and years.
 */
export function messageExpression(
  terms: readonly Term[],
  filter: MessageFilter,
  times: readonly [oldest: number, newest: number],
): string {
  const scope: string[] = []
  if (filter.who !== undefined) scope.push(`"${responderToken(filter.who)}"`)
  const dates = dateTokens(filter, times)
  if (dates.length > 0) scope.push(`(${dates.map((token) => `"${token}"`).join(' OR ')})`)
  const texts = textExpression(terms, filter.role)
  return scope.length === 0 ? texts : `${texts} AND scope : (${scope.join(' AND ')})`
}

/** More years than any library covers: the index does not narrow a longer period. */
const maxYears = 100

/**
 * Returns the tokens of a period: whole years where it contains them, months at its ends. None for an unbounded period.
 */
function dateTokens(
  filter: MessageFilter,
  [oldest, newest]: readonly [number, number],
): readonly string[] {
  if (filter.from === undefined && filter.to === undefined) return []
  const from = new Date(Math.max(filter.from ?? oldest, oldest))
  const last = new Date(Math.min((filter.to ?? newest + 1) - 1, newest))
  const first = from.getUTCFullYear() * 12 + from.getUTCMonth()
  const end = last.getUTCFullYear() * 12 + last.getUTCMonth()
  if (!(end - first < maxYears * 12)) return []
  const tokens: string[] = []
  for (let month = first; month <= end; month++) {
    const year = Math.floor(month / 12)
    if (month % 12 === 0 && month + 11 <= end) {
      tokens.push(yearToken(year))
      month += 11
    } else tokens.push(monthToken(year, month % 12))
  }
  return tokens
}
