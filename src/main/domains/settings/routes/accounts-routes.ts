import type { Accounts } from '../service/accounts/accounts.ts'
import type { Connection } from '../service/connection/connection.ts'
import type { Calls } from '../../../platform/bridge/calls.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

export interface AccountHandlerDeps {
  readonly accounts: Accounts
  readonly connection: Connection
  readonly calls: Calls
}

/** Handlers of accounts, their keys (write-only) and the connection check. */
export const accountHandlers = ({
  accounts,
  connection,
  calls,
}: AccountHandlerDeps): Pick<
  Handlers,
  | 'accounts.list'
  | 'accounts.create'
  | 'accounts.update'
  | 'accounts.remove'
  | 'accounts.activate'
  | 'accounts.setKey'
  | 'accounts.clearKey'
  | 'accounts.check'
> => ({
  'accounts.list': () => accounts.list(),
  'accounts.create': (request) => accounts.create(request),
  'accounts.update': (request) => accounts.update(request),
  'accounts.remove': async ({ id }) => {
    await accounts.remove(id)
    return {}
  },
  'accounts.activate': ({ id }) => accounts.activate(id),
  'accounts.setKey': (request) => accounts.setKey(request),
  'accounts.clearKey': ({ id }) => accounts.clearKey(id),
  'accounts.check': ({ id, callId }, { connection: page }) =>
    calls.run(page.id, callId, (signal) => connection.check(id, signal)),
})
