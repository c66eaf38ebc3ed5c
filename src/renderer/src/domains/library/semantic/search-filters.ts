import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import { meaningKinds } from '../../../../../shared/model/semantic.ts'
import type { EntryFilter } from '../entries/filter.ts'

/** Converts the Library's filter for semantic search; null if it allows only kinds that have nothing to embed. */
export function narrowed({
  kinds,
  from,
  to,
  tag,
}: EntryFilter): Pick<RequestOf<'semantic.search'>, 'kinds' | 'from' | 'until' | 'tag'> | null {
  const wanted = kinds
    ? meaningKinds.filter((kind) => (kinds as readonly string[]).includes(kind))
    : null
  if (wanted?.length === 0) return null
  return {
    kinds: wanted,
    from: from ?? null,
    until: to ?? null,
    tag: tag ?? null,
  }
}
