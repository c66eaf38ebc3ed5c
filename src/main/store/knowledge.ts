import type { Connection } from './connection.ts'
import { baseMirror } from './knowledge-bases.ts'
import type { KnowledgeStore } from './knowledge-types.ts'

/** The mirror of knowledge bases. What is only read of a library of an older schema is nothing. */
export function knowledgeStore(connection: Connection): KnowledgeStore {
  // A writable library has been brought to this schema; only others are asked, each time, as the file may be exchanged.
  const none = (): boolean =>
    !connection.writable &&
    connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'knowledge_accounts'`) === undefined
  const orElse =
    <Args extends unknown[], Result>(read: (...args: Args) => Result, other: Result) =>
    (...args: Args): Result =>
      none() ? other : read(...args)
  const bases = baseMirror(connection)
  return {
    bases: {
      ...bases,
      list: orElse(bases.list, { bases: [], total: 0 }),
      get: orElse(bases.get, undefined),
      listedAt: orElse(bases.listedAt, null),
      capacity: orElse(bases.capacity, null),
    },
  }
}
