import type { ParsedOf, ReplyOf } from '../../../../shared/contract/routes.ts'
import type { ListedAssistant } from '../../../../shared/model/chat.ts'
import { predefinedAssistants } from '../../../../shared/provider/assistants.ts'
import type { Assistant } from '../../../provider-client/assistants.ts'
import { AppError, toFailure } from '../../../errors.ts'
import type { ChatsDeps } from './chat-service-types.ts'

export type GalleryDeps = Pick<ChatsDeps, 'store' | 'accounts' | 'api' | 'clock'>

/**
 * Returns the assistants of an account, cached or fetched. A failure is reported together with the cached ones. Throws
 * NOT_FOUND.
 */
export async function listAssistants(
  { store, accounts, api, clock }: GalleryDeps,
  { accountId, refresh, language }: ParsedOf<'chats.assistants'>,
): Promise<ReplyOf<'chats.assistants'>> {
  const account = accountId === undefined ? accounts.active() : store.accounts.get(accountId)
  if (!account) throw new AppError('NOT_FOUND', 'Account not found')
  let failure = null
  if (refresh)
    try {
      const target = await accounts.target(account.id)
      // The accounts of providers choose the language themselves.
      const inLanguage =
        account.preset === 'local'
          ? { ...target, profile: { ...target.profile, acceptLanguage: language } }
          : target
      const { value } = await api.assistants.list(inLanguage, {}, {})
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

/** Puts the predefined ones first, in the order of the API reference, whether or not a list contained them. */
function withPredefined(list: readonly ListedAssistant[]): readonly ListedAssistant[] {
  const byId = new Map(list.map((one) => [one.id, one]))
  const predefined = predefinedAssistants.map(
    ({ id, purpose }): ListedAssistant => byId.get(id) ?? unlisted(id, purpose),
  )
  const first = new Set(predefined.map(({ id }) => id))
  return [...predefined, ...list.filter(({ id }) => !first.has(id))]
}

/** An assistant that no list contained; the page derives its localized name from its purpose. */
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
