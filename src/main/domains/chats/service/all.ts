import type { WorkerUrl } from '../../../deps.ts'
import { createRemoteGet } from '../../../provider-client/remote-get.ts'
import type { NetworkChoices } from '../../settings/index.ts'
import { createChats } from './chats.ts'
import { createChatExports } from '../exports/exports.ts'
import type { Chats, ChatsDeps } from './chat-service-types.ts'

export type AllChatsDeps = Omit<ChatsDeps, 'remote'> & {
  readonly home: string
  readonly version: string
  readonly workerUrl: WorkerUrl
  /** Prints a page to PDF; absent where the host cannot. */
  readonly printPdf?: ((htmlPath: string) => Promise<Uint8Array>) | undefined
  /** Used to fetch images that answers reference. */
  readonly network: NetworkChoices
}

/** Creates the chats: questions and answers, export and import. */
export function createAllChats(deps: AllChatsDeps): Chats {
  const remote = createRemoteGet(deps.network)
  const exports = createChatExports({ ...deps, activeAccount: () => deps.accounts.active() })
  return createChats({ ...deps, remote }, exports)
}
