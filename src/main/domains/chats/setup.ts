import type { Works } from '../../background-work.ts'
import type { Context } from '../../context.ts'
import { createRemoteGet } from '../../provider-client/remote-get.ts'
import type { Slices } from '../knowledge/index.ts'
import type { Connection } from '../settings/index.ts'
import { createChatExports } from './exports/exports.ts'
import { chatHandlers, quickHandlers } from './routes.ts'
import { createChats } from './service/chats.ts'

/** Conversations with agents and assistants, their export and import. */
export function setupChats(
  context: Context,
  needs: {
    readonly connection: Pick<Connection, 'trouble'>
    readonly slices: Pick<Slices, 'remember'>
    /** Deletes items permanently (the Library's function). */
    purge(itemIds: readonly string[]): Promise<void>
  },
) {
  const chats = createChats(
    {
      ...context,
      remote: createRemoteGet(context.network),
      unreachable: needs.connection.trouble,
      purge: needs.purge,
      onWaiting: (count) => context.setWaiting('chats', count),
    },
    createChatExports({ ...context, activeAccount: context.accounts.active }),
  )
  return {
    chats,
    work: { chats: [chats] } satisfies Works,
    handlers: {
      ...chatHandlers(chats, needs.slices),
      ...quickHandlers(context.quick),
    },
  }
}
