import type { ResponseUsage } from '../../../shared/model/response.ts'
import { isRecord, parseJson } from '../../provider-client/json.ts'
import { readUsage } from '../../provider-client/usage.ts'
import type { ActivityQuery } from '../../../shared/model/activity.ts'
import { localDay } from '../../../shared/text/local-time.ts'
import type { Clock } from '../../deps.ts'
import type { Store } from '../../library-database/store.ts'
import type { Handlers } from '../../platform/bridge/router.ts'
import { readResponse } from '../../provider-client/response-parsing.ts'
import type { RemoteItems } from './service/remote-items/remote-items.ts'
import { viewOf } from './service/remote-items/reader.ts'
import type { Runs } from './service/runs/runs.ts'
import { slidesVariables } from '../../../shared/contract/slides.ts'
import { versionOwnerOf } from '../../../shared/model/remote-item.ts'
import { readSlidesConversation } from '../../provider-client/slides-events.ts'
import type { SavedFiles } from './service/saved-files/saved-files.ts'
import type { Packs } from './service/saved-files/file-packs.ts'
import type { Tasks } from './service/tasks/tasks.ts'

/** Returns the token usage that a reply reports; null if it reports none. */
function usageIn(json: unknown): ResponseUsage | null {
  const usage = isRecord(json) ? readUsage(json['usage']) : null
  return (
    usage && {
      inputTokens: usage.promptTokens,
      cachedTokens: usage.cachedTokens ?? null,
      outputTokens: usage.completionTokens,
      reasoningTokens: usage.reasoningTokens ?? null,
    }
  )
}

/** Handlers of the requests to the provider, and their totals by day. */
export const activityHandlers = (
  { activity }: Pick<Store, 'activity'>,
  clock: Clock,
): Pick<Handlers, 'activity.list' | 'activity.usage'> => ({
  'activity.usage': ({ days, accountId }) => {
    const since = new Date(clock())
    since.setDate(since.getDate() - (days - 1))
    return { today: localDay(clock()), rows: activity.usage(localDay(since.getTime()), accountId) }
  },
  'activity.list': (request) => {
    const given = Object.fromEntries(
      Object.entries(request).filter(([, value]) => value !== undefined),
    )
    return activity.list({ limit: request.limit, ...given } satisfies ActivityQuery)
  },
})

/** Handlers of stored Responses of the provider, fetched and saved (service-notes 13). */
export const responseHandlers = (
  remoteItems: RemoteItems,
): Pick<
  Handlers,
  | 'responses.fetch'
  | 'responses.list'
  | 'responses.get'
  | 'responses.raw'
  | 'responses.refresh'
  | 'responses.rename'
  | 'responses.remove'
  | 'responses.restore'
> => ({
  'responses.fetch': ({ ids, accountId }) =>
    [...new Set(ids)].map((remoteId) =>
      remoteItems.fetch({ kind: 'response', remoteId, accountId }),
    ),
  'responses.list': (query) => remoteItems.list({ kind: 'response', ...query }),
  'responses.get'({ id, version: wanted }) {
    const { item: remoteItem, versions, version, reply } = remoteItems.get('response', id, wanted)
    const json = reply && parseJson(reply.body)
    return {
      remoteItem: viewOf(remoteItem),
      versions,
      version,
      response: reply && readResponse(json, remoteItem.remoteId),
      usage: usageIn(json),
    }
  },
  'responses.raw': ({ id, version }) => ({ reply: remoteItems.get('response', id, version).reply }),
  'responses.refresh': ({ id }) => remoteItems.refresh('response', id),
  'responses.rename': ({ id, title }) => remoteItems.rename('response', id, title),
  async 'responses.remove'({ id }) {
    await remoteItems.remove('response', id)
    return {}
  },
  'responses.restore': ({ id }) => remoteItems.restore('response', id),
})

/** Handlers of any operation of the provider, as runs. The caller's page is attached to the stream it named. */
export const runHandlers = (
  runs: Runs,
): Pick<
  Handlers,
  | 'runs.operations'
  | 'runs.start'
  | 'runs.get'
  | 'runs.list'
  | 'runs.events'
  | 'runs.raw'
  | 'runs.cancel'
  | 'runs.remove'
  | 'runs.rename'
  | 'runs.export'
> => ({
  'runs.operations': () => runs.operations(),
  'runs.start': ({ streamId, ...request }, { connection }) =>
    runs.start(request, { connectionId: connection.id, streamId }),
  'runs.get': ({ id }) => runs.get(id),
  'runs.list': (query) => runs.list(query),
  'runs.events': ({ id, from, limit }) => runs.events(id, from, limit),
  'runs.raw': ({ id }) => ({ reply: runs.raw(id) }),
  'runs.cancel': ({ id }) => runs.cancel(id),
  'runs.remove': async ({ ids }) => {
    await runs.remove(ids)
    return {}
  },
  'runs.export': (wanted) => runs.export(wanted),
  'runs.rename': ({ id, title }) => runs.rename(id, title),
})

/**
 * Handlers of presentations of the slides agent: fetches them and saves their pages and files (service-notes 10).
 */
export const slidesHandlers = (
  remoteItems: RemoteItems,
  savedFiles: Pick<SavedFiles, 'of' | 'retry'>,
  packs: Pick<Packs, 'pack'>,
): Pick<
  Handlers,
  | 'slides.fetch'
  | 'slides.list'
  | 'slides.get'
  | 'slides.raw'
  | 'slides.refresh'
  | 'slides.retry'
  | 'slides.pack'
  | 'slides.rename'
  | 'slides.remove'
  | 'slides.restore'
> => ({
  'slides.fetch': ({ conversationId, variables, accountId }) =>
    remoteItems.fetch({ kind: 'slides', remoteId: conversationId, asked: variables, accountId }),
  'slides.list': (query) => remoteItems.list({ kind: 'slides', ...query }),
  'slides.get'({ id, version: wanted }) {
    const { item: remoteItem, versions, version, reply } = remoteItems.get('slides', id, wanted)
    const names = { conversationId: remoteItem.remoteId, agentId: '' }
    const variables = slidesVariables.safeParse(remoteItem.asked)
    return {
      remoteItem: viewOf(remoteItem),
      variables: variables.success ? variables.data : {},
      versions,
      version,
      conversation: reply && readSlidesConversation(parseJson(reply.body), names),
      files: version === null ? [] : savedFiles.of(versionOwnerOf(id, version)),
    }
  },
  'slides.raw': ({ id, version }) => ({ reply: remoteItems.get('slides', id, version).reply }),
  'slides.refresh': ({ id }) => remoteItems.refresh('slides', id),
  async 'slides.retry'({ id, version: wanted }) {
    const { version, versions } = remoteItems.get('slides', id, wanted)
    // A new response brings new URLs; without one, the old URLs may still work.
    if (version === versions[0]?.number)
      await remoteItems.refresh('slides', id).catch(() => undefined)
    if (version !== null) savedFiles.retry(versionOwnerOf(id, version))
    return {}
  },
  'slides.pack'({ id, version: wanted }) {
    const { item: remoteItem, version } = remoteItems.get('slides', id, wanted)
    return packs.pack(
      remoteItem.title,
      version === null ? [] : savedFiles.of(versionOwnerOf(id, version)),
    )
  },
  'slides.rename': ({ id, title }) => remoteItems.rename('slides', id, title),
  async 'slides.remove'({ id }) {
    await remoteItems.remove('slides', id)
    return {}
  },
  'slides.restore': ({ id }) => remoteItems.restore('slides', id),
})

/**
 * Handlers of asynchronous tasks of the provider, which are tracked until they are done (service-notes 9).
 */
export const taskHandlers = (
  tasks: Tasks,
  savedFiles: Pick<SavedFiles, 'of' | 'retry'>,
  packs: Pick<Packs, 'pack'>,
  onForgotten: (id: string) => void,
): Pick<
  Handlers,
  | 'tasks.create'
  | 'tasks.watch'
  | 'tasks.list'
  | 'tasks.get'
  | 'tasks.raw'
  | 'tasks.pack'
  | 'tasks.rename'
  | 'tasks.forget'
  | 'tasks.restore'
  | 'tasks.refresh'
  | 'tasks.retry'
> => ({
  'tasks.create': (request) => tasks.create(request),
  'tasks.watch': (request) => tasks.watch(request),
  'tasks.list': (query) => tasks.list(query),
  'tasks.get'({ id }) {
    const raw = tasks.raw(id)
    return {
      ...tasks.get(id),
      usage: raw && usageIn(parseJson(raw.body)),
      files: savedFiles.of(id),
    }
  },
  'tasks.pack': ({ id }) => packs.pack(tasks.get(id).task.title, savedFiles.of(id)),
  'tasks.raw': ({ id }) => ({ reply: tasks.raw(id) }),
  'tasks.rename': ({ id, title }) => tasks.rename(id, title),
  'tasks.restore': ({ id }) => tasks.restore(id),
  'tasks.forget': async ({ id }) => {
    await tasks.forget(id)
    onForgotten(id)
    return {}
  },
  async 'tasks.retry'({ id }) {
    // A new response brings new URLs; without one, the old URLs may still work.
    await tasks.refresh(id).catch(() => undefined)
    savedFiles.retry(id)
    return {}
  },
  'tasks.refresh': ({ id }) => tasks.refresh(id),
})
