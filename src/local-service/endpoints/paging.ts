import { limits } from '../../shared/provider/limits.ts'
import { fieldIllegal } from '../json-body.ts'

/** Maximum page number of any list. */
const maxPages = 1_000_000

function whole(query: URLSearchParams, name: string, absent: number, max: number): number {
  const text = query.get(name)
  if (text === null || text === '') return absent
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw fieldIllegal(name, `be a whole number from 1 to ${max}`)
  return value
}

/** Reads `page` (from 1) and `size` (1 to 100, default 10) (service-notes 7). Throws 1214. */
export const pagingOf = (
  query: URLSearchParams,
): { readonly page: number; readonly size: number } => ({
  page: whole(query, 'page', 1, maxPages),
  size: whole(query, 'size', 10, limits.list.pageSize),
})
