import { localAccountId, presets, type Account } from '../../../../shared/provider/profiles.ts'
import { AppError } from '../../../errors.ts'
import { remembered, type Connection } from '../../../platform/database/connection.ts'
import type { AccountStore } from '../../../library-database/types.ts'

/** Built-in account that always exists, in its initial state. */
const localAccount: Account = {
  id: localAccountId,
  preset: 'local',
  name: 'This computer',
  profile: presets.local,
  createdAt: 0,
}

interface Row {
  readonly id: string
  readonly preset: Account['preset']
  readonly name: string
  readonly profile: string
  readonly created_at: number
}

/**
 * Store of accounts without their API keys, oldest first; this computer is always included and cannot be removed.
 */
export function accountStore(connection: Connection): AccountStore {
  const list = remembered((): readonly Account[] => {
    const rows = connection
      .all<Row>('SELECT * FROM accounts ORDER BY created_at, id')
      .map(toAccount)
    return rows.some((account) => account.id === localAccountId) ? rows : [localAccount, ...rows]
  })
  return {
    list,
    get: (id) => list().find((account) => account.id === id),
    put(account) {
      connection.run(
        `INSERT INTO accounts(id, preset, name, profile, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT(id) DO UPDATE SET preset = excluded.preset, name = excluded.name, profile = excluded.profile`,
        account.id,
        account.preset,
        account.name,
        JSON.stringify(account.profile),
        account.createdAt,
      )
    },
    holder(id) {
      const row = connection.get<{ keys: number }>('SELECT keys FROM accounts WHERE id = ?', id)
      return `${id} ${row?.keys ?? 0}`
    },
    newKey: (id) => void connection.run('UPDATE accounts SET keys = keys + 1 WHERE id = ?', id),
    remove(id) {
      if (id === localAccountId)
        throw new AppError('REFUSED', 'The “This computer” account cannot be removed')
      connection.transaction(() => {
        connection.run('DELETE FROM accounts WHERE id = ?', id)
        // The active account was removed: switches back to the account that always exists.
        connection.run(
          `DELETE FROM settings WHERE key = 'activeAccountId' AND value = ?`,
          JSON.stringify(id),
        )
      })
    },
  }
}

function toAccount(row: Row): Account {
  // A profile from an older version lacks newer fields; the preset's defaults fill them.
  const base = presets[row.preset] ?? presets.custom
  const stored = JSON.parse(row.profile) as Partial<Account['profile']>
  return {
    id: row.id,
    preset: row.preset,
    name: row.name,
    profile: {
      ...base,
      ...stored,
      wire: { ...base.wire, ...stored.wire },
      limits: stored.limits ?? base.limits,
    },
    createdAt: row.created_at,
  }
}
