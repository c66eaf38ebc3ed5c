// What other domains use of this one.

export type { Accounts } from './service/accounts/accounts.ts'
export type { Connection } from './service/connection/connection.ts'
export type { LibrarySearch, LocalService } from './service/local/local.ts'
export type { NetworkChoices } from './service/network/network.ts'
