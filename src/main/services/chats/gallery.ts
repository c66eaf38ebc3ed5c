import type { ParsedOf, ReplyOf } from '../../../shared/bridge/routes.ts'
import type { ListedAssistant } from '../../../shared/model/chat.ts'
import { predefinedAssistants } from '../../../shared/service/assistants.ts'
import type { Assistant } from '../../api/assistants.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { ChatsDeps } from './types.ts'

/** What the gallery needs. */
export type GalleryDeps = Pick<ChatsDeps, 'store' | 'accounts' | 'api' | 'clock'>

/** The assistants of an account as they were listed last, or now. A failure is told beside those that were kept. Throws NOT_FOUND. */
export async function listAssistants(
  { store, accounts, api, clock }: GalleryDeps,
  { accountId, refresh }: ParsedOf<'chats.assistants'>,
): Promise<ReplyOf<'chats.assistants'>> {
  const account = accountId === undefined ? accounts.active() : store.accounts.get(accountId)
  if (!account) throw new AppError('NOT_FOUND', 'There is no such account')
  let failure = null
  if (refresh)
    try {
      const { value } = await api.assistants.list(await accounts.target(account.id), {}, {})
      const at = clock()
      if (store.writable)
        store.chats.keepAssistants(
          account.id,
          value.map((one) => listed(one, at)),
          at,
        )
      else return { assistants: withPredefined(value.map((one) => listed(one, at))), at, failure }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failure = toFailure(error, clock())
    }
  const saved = store.chats.assistants(account.id)
  return { assistants: withPredefined(saved.assistants), at: saved.at, failure }
}

const listed = (assistant: Assistant, at: number): ListedAssistant => ({
  id: assistant.id,
  name: assistant.name,
  avatar: assistant.avatar,
  description: assistant.description,
  tools: assistant.tools,
  tags: assistant.tags.map(({ label }) => label),
  starterPrompts: assistant.starterPrompts,
  listedAt: at,
})

/** The predefined ones first, in the order of the API reference, whether or not a list told of them. */
function withPredefined(list: readonly ListedAssistant[]): readonly ListedAssistant[] {
  const byId = new Map(list.map((one) => [one.id, one]))
  const predefined = predefinedAssistants.map(
    ({ id, purpose }): ListedAssistant => byId.get(id) ?? unlisted(id, purpose),
  )
  const first = new Set(predefined.map(({ id }) => id))
  return [...predefined, ...list.filter(({ id }) => !first.has(id))]
}

/** Its name in the reader's language is the page's to say, by its purpose. */
const unlisted = (id: string, purpose: string): ListedAssistant => ({
  id,
  name: purpose,
  avatar: null,
  description: '',
  tools: [],
  tags: [],
  starterPrompts: [],
  listedAt: null,
})
