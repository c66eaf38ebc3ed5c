import { setImmediate } from 'node:timers/promises'
import { shownUnits } from '../../../shared/chats/shown-answer.ts'
import type { MessageWindow } from '../../../shared/model/chat.ts'
import type { Chats } from './service/chat-service-types.ts'
import type { Slices } from '../knowledge/index.ts'
import type { Handlers } from '../../platform/bridge/router.ts'
import type { QuickHost } from '../../host.ts'
import { AppError } from '../../errors.ts'

/** Handlers of chats. The caller's page is attached to the stream it named. */
export const chatHandlers = (
  chats: Chats,
  slices: Pick<Slices, 'remember'>,
): Pick<Handlers, Extract<keyof Handlers, `chats.${string}`>> => ({
  'chats.list': (query) => chats.store.list(query),
  'chats.get': ({ id }) => chats.get(id),
  'chats.create': (request) => chats.create(request),
  'chats.configure': (request) => chats.configure(request),
  'chats.end': async ({ id }) => {
    await chats.end(id)
    return {}
  },
  'chats.facets': () => chats.store.facets(),
  'chats.draft': (request) => {
    chats.saveDraft(request)
    return {}
  },

  'chats.window': ({ id, around, begin, limit }) => {
    const at = around ?? (begin ? firstOf(chats, id) : null)
    return chats.store.window(id, at, limit)
  },
  'chats.more': ({ messageId, side, limit }): MessageWindow =>
    chats.store.more(messageId, side, limit),
  'chats.message': async ({ id }) => {
    const message = chats.message(id)
    // A long message is packed in a separate step.
    await setImmediate()
    return message
  },
  'chats.text': ({ messageId, from }) => ({
    text: chats.store.textAt(messageId, from, shownUnits.text),
  }),
  'chats.events': ({ messageId, from, limit }) => chats.store.events(messageId, from, limit),

  'chats.ask': ({ id, ...request }, { connection }) => chats.ask(id, request, connection.id),
  'chats.edit': ({ messageId, ...request }, { connection }) =>
    chats.edit(messageId, request, connection.id),
  'chats.regenerate': ({ messageId, streamId }, { connection }) =>
    chats.regenerate(messageId, streamId, connection.id),
  'chats.continue': ({ messageId, streamId }, { connection }) =>
    chats.continue(messageId, streamId, connection.id),
  'chats.stop': ({ messageId }) => chats.stop(messageId),
  'chats.choose': ({ messageId }) => chats.choose(messageId),
  'chats.unqueue': ({ messageId }) => chats.unqueue(messageId),
  'chats.askElsewhere': ({ messageId, accountId }) => chats.askElsewhere(messageId, accountId),
  'chats.send': ({ messageId, streamId }, { connection }) =>
    chats.send(messageId, streamId, connection.id),

  'chats.find': ({ id, query }) => chats.store.find(id, query),
  'chats.search': (query) => chats.store.search(query),
  'chats.copy': (request) => chats.exports.copy(request),
  'chats.export': (request) => chats.exports.export(request),

  'chats.prompts': () => chats.store.prompts(),
  'chats.savePrompt': (request) => chats.savePrompt(request),
  'chats.removePrompt': ({ id }) => {
    chats.store.removePrompt(id)
    return {}
  },

  'chats.assistants': (request) => chats.assistants(request),
  'chats.slices': async (request) => {
    const message = await chats.slices(request)
    // They are also among the slices that Knowledge shows.
    slices.remember(request)
    return message
  },
  'chats.locate': (request) => chats.locate(request),
})

/** Returns the first message of a chat's shown branch. */
function firstOf(chats: Chats, id: string): string | null {
  for (const message of chats.store.branch(id)) return message.id
  return null
}

/** Handlers of the quick window, if the host has one. */
export const quickHandlers = (
  host: QuickHost | undefined,
): Pick<Handlers, 'quick.show' | 'quick.hide' | 'quick.leave'> => {
  const need = (): QuickHost => {
    if (!host) throw new AppError('NOT_IMPLEMENTED', 'This host does not have its own windows')
    return host
  }
  return {
    'quick.show': () => {
      need().show()
      return {}
    },
    'quick.hide': async () => {
      await need().hide()
      return {}
    },
    'quick.leave': ({ id }) => {
      need().leave(id)
      return {}
    },
  }
}
