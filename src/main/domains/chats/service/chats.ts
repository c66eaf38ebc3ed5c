import type { Conversation, ListedAssistant, ChatMessage } from '../../../../shared/model/chat.ts'
import type { Account } from '../../../../shared/provider/profiles.ts'
import { AppError, toFailure } from '../../../errors.ts'
import { createGivenTexts } from '../../documents/index.ts'
import { createQuestionActions } from './question-actions.ts'
import { createAnswerRunner } from './answer-runner.ts'
import type { ChatExports, Chats, ChatsDeps } from './chat-service-types.ts'
import type { ParsedOf, ReplyOf } from '../../../../shared/contract/routes.ts'
import { predefinedAssistants } from '../../../../shared/provider/assistants.ts'
import type { Assistant } from '../../../provider-client/assistants.ts'
import type { ChatStore } from '../store/chats-types.ts'
import { dataOf } from '../../knowledge/index.ts'
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { answerFold, type AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { Redactor } from '../../../platform/security/redact.ts'
import { endOfLeft } from './end.ts'

/** Creates the chats (service-notes 6, 11 and 8; architecture rules 2 and 8). */
export function createChats(deps: ChatsDeps, exports: ChatExports): Chats {
  const { store, clock, ids, log } = deps
  const texts = createGivenTexts(store)
  const runner = createAnswerRunner({ ...deps, texts })
  /** Resolves when leftovers of an earlier run are repaired. */
  let repaired: Promise<void> = Promise.resolve()
  /** Repairs in progress: two repairs of one answer would overwrite each other's parts. */
  const settling = new Map<string, Promise<void>>()
  const settle = async (messageId: string): Promise<void> => {
    const settled = await repairAnswer(store.chats, messageId, clock, {
      maskKnown: deps.mask,
      openEnd: deps.openEnd,
    })
    deps.emit({ type: 'chat.message', message: settled })
    runner.reportConversation(settled.conversationId)
  }
  const settleLeft = (messageId: string): Promise<void> => {
    const running = settling.get(messageId)
    if (running) return running
    const started = settle(messageId).finally(() => settling.delete(messageId))
    settling.set(messageId, started)
    return started
  }
  const questionChecks = createQuestionActions({
    ...deps,
    runner,
    ready: () => repaired,
    settleLeft,
  })
  /** Conversations that are about to be deleted permanently or moved to Trash. */
  const leaving = new Set<string>()

  const reported = (conversation: Conversation): Conversation => {
    deps.emit({ type: 'chat.changed', conversation })
    deps.emit({ type: 'library.changed', itemIds: [conversation.id] })
    return conversation
  }
  const must = (id: string): Conversation => {
    const found = store.chats.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'Chat not found')
    return found
  }
  const accountOf = (id: string | undefined): Account => {
    const account = id === undefined ? deps.accounts.active() : store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }

  /** Sends the waiting questions of the accounts that match. */
  const wakeThose = (isReady: (accountId: string) => boolean): void =>
    runner.wake((conversationId) => {
      const conversation = store.chats.get(conversationId)
      return conversation !== undefined && isReady(conversation.accountId)
    })

  let isStarted = false
  /** Snapshot of what exists now: nothing started after this point is mistaken for a leftover. */
  const repair = async (
    running: readonly string[],
    temporary: readonly string[],
  ): Promise<void> => {
    if (running.length > 0) await keysAreKnown(deps)
    for (const messageId of running)
      try {
        await settleLeft(messageId)
      } catch (error) {
        log.error('failed to finish an interrupted answer', { error })
      }
    runner.countWaiting()
    if (temporary.length > 0) await deps.purge(temporary)
    // The readiness of the active account is reported; that of the others is not monitored.
    const active = deps.accounts.active().id
    wakeThose((accountId) => accountId !== active)
  }

  const accountReady: Chats['accountReady'] = (accountId) => {
    void repaired
      .then(() => wakeThose((id) => id === accountId))
      .catch((error: unknown) => log.error('failed to resume waiting questions', { error }))
  }

  const message: Chats['message'] = (id) => {
    const found = store.chats.message(id)
    if (!found) throw new AppError('NOT_FOUND', 'Message not found')
    return found
  }
  const create: Chats['create'] = ({ settings, temporary, folderId, accountId }) => {
    const account = accountOf(accountId)
    const made = store.chats.create({
      id: ids(),
      title: '',
      settings,
      accountId: account.id,
      accountName: account.name,
      temporary,
      folderId: folderId ?? null,
      at: clock(),
    })
    if (made.folderId !== null) deps.emit({ type: 'library.organized' })
    return reported(made)
  }

  return {
    ...questionChecks,
    exports,
    store: store.chats,
    get: must,
    message,
    create,
    async askElsewhere(messageId, accountId) {
      const { conversationId, text, attachments } = message(messageId)
      const { settings, temporary, folderId } = must(conversationId)
      accountOf(accountId)
      await questionChecks.unqueue(messageId)
      const made = create({
        // Knowledge bases belong to their account, and so do files uploaded to it.
        settings: settings.kind === 'agent' ? { ...settings, knowledgeIds: [] } : settings,
        temporary,
        accountId,
        ...(folderId !== null && { folderId }),
      })
      store.chats.saveDraft(made.id, {
        text,
        attachments: attachments.map((one) =>
          one.kind === 'file' ? { ...one, fileId: null } : one,
        ),
      })
      return reported(must(made.id))
    },
    configure({ id, settings, accountId }) {
      const before = must(id)
      const known = accountId ?? before.accountId
      // A removed account keeps its name here until another one is chosen.
      const name = store.accounts.get(known)?.name ?? before.accountName
      if (accountId !== undefined) accountOf(accountId)
      const change = { settings, accountId: known, accountName: name }
      const changed = reported(store.chats.configure(id, { ...change, at: clock() }))
      if (known === before.accountId) return changed
      // The delays applied to the other account.
      for (const { messageId, conversationId } of store.chats.unfinished())
        if (conversationId === id) runner.forgetRetries(messageId)
      // No event reports this account as ready: it may have been ready all the time.
      accountReady(known)
      return changed
    },
    async end(id) {
      const ended = must(id)
      if (!ended.temporary && !isUntouched(ended))
        throw new AppError('REFUSED', 'Only temporary and empty chats can be ended', {
          params: { what: 'temporary' },
        })
      await deps.purge([id])
    },
    saveDraft({ id, draft }) {
      store.chats.saveDraft(id, draft)
      deps.emit({ type: 'chat.changed', conversation: must(id) })
    },
    savePrompt: ({ id, name, text }) =>
      store.chats.savePrompt({ id: id ?? ids(), name, text, at: clock() }),
    assistants: (request) => listAssistants(deps, request),
    async slices(request) {
      const cited = await fetchSlices(deps, request)
      deps.emit({ type: 'chat.message', message: cited })
      return cited
    },
    locate: (request) => locateDocument(store.chats, request),

    resume() {
      const running = store.chats
        .unfinished()
        .filter(({ state, messageId }) => state === 'running' && !runner.isActive(messageId))
        .map(({ messageId }) => messageId)
      // After a repair of the library while Lectern runs, temporary conversations are the ones open now.
      const temporary = isStarted ? [] : store.chats.temporary()
      isStarted = true
      repaired = repaired
        .then(() => repair(running, temporary))
        .catch((error: unknown) => log.error('failed to resume chats', { error }))
    },
    accountReady,
    async forget(itemIds) {
      for (const id of itemIds) if (store.chats.get(id)) leaving.add(id)
      await runner.forget(itemIds)
    },
    changed(itemIds) {
      const gone: string[] = []
      for (const id of itemIds) {
        const conversation = store.chats.get(id)
        if (conversation) deps.emit({ type: 'chat.changed', conversation })
        else if (leaving.has(id)) gone.push(id)
        // It was restored from Trash.
        if (conversation?.deletedAt === null) runner.wakeFresh(id)
        leaving.delete(id)
      }
      if (gone.length > 0) deps.emit({ type: 'chat.removed', ids: gone })
      runner.countWaiting()
    },
    busy: () => runner.busy(),
    async shutdown() {
      await Promise.all([runner.shutdown(), repaired, exports.close()])
    },
    async stopAll() {
      await repaired
      const all = new Set(store.chats.unfinished().map(({ conversationId }) => conversationId))
      await runner.forget([...all])
    },
  }
}

type GalleryDeps = Pick<ChatsDeps, 'store' | 'accounts' | 'api' | 'clock'>

/**
 * Returns the assistants of an account, cached or fetched. A failure is reported together with the cached ones. Throws
 * NOT_FOUND.
 */
async function listAssistants(
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

/**
 * Fetches the locations of sources (service-notes 11) and saves them with the message. Throws NOT_FOUND and the errors
 * of the request.
 */
async function fetchSlices(
  { store, accounts, api, clock }: Pick<ChatsDeps, 'store' | 'accounts' | 'api' | 'clock'>,
  { messageId, requestId, nodeId }: ParsedOf<'chats.slices'>,
): Promise<ChatMessage> {
  const message = store.chats.message(messageId)
  const conversation = message && store.chats.get(message.conversationId)
  if (!conversation) throw new AppError('NOT_FOUND', 'Message not found')
  const target = await accounts.target(conversation.accountId)
  const { raw, value } = await api.slices.positions(target, { askedId: requestId, nodeId }, {})
  const data = dataOf(raw.body) ?? value
  return store.chats.keepSlices(messageId, { requestId, nodeId, at: clock(), data })
}

/** Whether a chat contains nothing that the user made. */
const isUntouched = (chat: Conversation): boolean =>
  chat.messages === 0 &&
  chat.draft === null &&
  chat.title === '' &&
  !chat.starred &&
  chat.tags.length === 0 &&
  chat.deletedAt === null

/** Finds the document of the Library that corresponds to a document of the provider. */
function locateDocument(
  chats: Pick<ChatStore, 'pushedFrom' | 'namedDocument'>,
  { documentId, name }: ParsedOf<'chats.locate'>,
): ReplyOf<'chats.locate'> {
  const pushed = documentId === '' ? undefined : chats.pushedFrom(documentId)
  if (pushed !== undefined) return { itemId: pushed, by: 'push' }
  const named = name.trim() === '' ? undefined : chats.namedDocument(name.trim())
  return named === undefined ? { itemId: null, by: null } : { itemId: named, by: 'name' }
}

/** Maximum time in milliseconds to wait for keys: the user may have to unlock the keychain first. */
const keysMs = 5000

/**
 * Loads the keys of all accounts so that they can be masked: none has been read yet when the leftovers of an earlier run
 * are reported and saved again. Never rejects; does not wait for a keychain that does not answer.
 */
async function keysAreKnown({ accounts }: Pick<ChatsDeps, 'accounts'>): Promise<void> {
  const given = new AbortController()
  await Promise.race([
    accounts.list().catch(() => undefined),
    wait(keysMs, undefined, { ref: false, signal: given.signal }).catch(() => undefined),
  ])
  given.abort()
}

/** Number of events read at once. */
const eventsAtOnce = 2000

/**
 * Marks an answer that an earlier run of Lectern left unfinished as broken; its stored content stays. Yields to the main
 * thread between batches.
 */
async function repairAnswer(
  chats: Pick<ChatStore, 'events' | 'savePart' | 'settle' | 'message' | 'sessionOf' | 'holderOf'>,
  messageId: string,
  clock: () => number,
  keys: Pick<Redactor, 'maskKnown' | 'openEnd'>,
): Promise<ChatMessage> {
  const soFar = answerFold()
  for (let from: number | null = 0; from !== null;) {
    const { batches, next } = chats.events(messageId, from, eventsAtOnce)
    for (const { json } of batches)
      for (const event of JSON.parse(json) as readonly AnswerEvent[]) soFar.take(event)
    from = next
    await setImmediate()
  }
  const sessionId = sessionIdOfQuestion(chats, messageId)
  const end = await endOfLeft(soFar.answer, sessionId, clock(), {
    ...keys,
    savePart: async (part) => chats.savePart(messageId, part),
  })
  return chats.settle(messageId, end)
}

/** Returns the session that the question of an answer continued; null for one that started its own. */
function sessionIdOfQuestion(
  chats: Pick<ChatStore, 'message' | 'sessionOf' | 'holderOf'>,
  messageId: string,
): string | null {
  const answer = chats.message(messageId)
  if (!answer || answer.resentTurns > 0 || answer.parentId === null) return null
  const before = chats.message(answer.parentId)?.parentId ?? null
  if (before === null || chats.holderOf(before) !== chats.holderOf(messageId)) return null
  return chats.sessionOf(before)
}
