import type { AppInfo } from '../../src/shared/contract/app.ts'
import type { AppEvent, StreamEvent } from '../../src/shared/contract/events.ts'
import type { Failure, Reply } from '../../src/shared/contract/reply.ts'
import type { PushedEvent, Transport } from '../../src/shared/contract/transport.ts'
import type { ConnectionState } from '../../src/shared/model/connection.ts'
import type { ItemSummary, SearchHit } from '../../src/shared/model/library.ts'
import { defaultSettings, type Settings } from '../../src/shared/contract/settings.ts'
import { presets } from '../../src/shared/provider/profiles.ts'
import * as data from './fake-data.ts'

/** Options of the fake main for a test. */
export interface Scenario {
  readonly empty?: boolean
  readonly welcomed?: boolean
  readonly settings?: Partial<Settings>
  readonly connection?: Partial<ConnectionState>
  readonly storage?: AppInfo['storage']
  /** Routes that fail, with their failures. */
  readonly fail?: Readonly<Record<string, Failure>>
  /** Whether files are saved with system dialogs. */
  readonly fileHost?: boolean
  /** Prefix of media URLs. */
  readonly mediaBase?: string
}

/** Miniature main with data in memory; tests can inspect requests and push events as main would. */
export interface FakeTransport extends Transport {
  readonly requests: { readonly route: string; readonly payload: unknown }[]
  push(event: PushedEvent): void
  app(event: AppEvent): void
  stream(event: StreamEvent): void
  /** Sets the reply of a route from now on. */
  answer(route: string, handler: (payload: never) => unknown): void
  readonly items: Map<string, data.FakeItem>
}

class Refusal extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Creates a fake main for a scenario. */
export function createFakeTransport(scenario: Scenario = {}): FakeTransport {
  const listeners = new Set<(event: PushedEvent) => void>()
  const requests: FakeTransport['requests'] = []
  const all = scenario.empty ? [] : [...data.meetings(), ...data.binned()]
  const items = new Map(all.map((item) => [item.id, item]))
  let accounts = data.accounts()
  let settings: Settings = {
    ...defaultSettings,
    welcomed: scenario.welcomed ?? true,
    ...scenario.settings,
  }
  const connection = (): ConnectionState => ({
    accountId: 'this-computer',
    accountName: 'This computer',
    preset: 'local',
    state: 'online',
    waiting: 0,
    since: data.now - 600_000,
    ...scenario.connection,
  })
  const push = (event: PushedEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const app = (event: AppEvent): void => push({ channel: 'app', event })

  const summary = ({ media: _, text: __, ...rest }: data.FakeItem): ItemSummary => rest
  const need = (id: string): data.FakeItem => {
    const item = items.get(id)
    if (!item) throw new Refusal(data.failure('NOT_FOUND', { retriable: false }))
    return item
  }
  const patch = (ids: readonly string[], change: Partial<data.FakeItem>): Record<string, never> => {
    for (const id of ids) items.set(id, { ...need(id), ...change })
    app({ type: 'library.changed', itemIds: ids })
    return {}
  }

  const search = (query: string): { hits: SearchHit[]; more: boolean; tookMs: number } => {
    const word = query.toLowerCase()
    const hits = [...items.values()].flatMap((item): SearchHit[] => {
      if (item.deletedAt !== null) return []
      const base = {
        itemId: item.id,
        kind: item.kind,
        title: item.title,
        createdAt: item.createdAt,
      }
      const found: SearchHit[] = []
      const inTitle = item.title.toLowerCase().indexOf(word)
      if (inTitle >= 0)
        found.push({
          ...base,
          field: 'title',
          partId: null,
          snippet: item.title,
          ranges: [[inTitle, inTitle + word.length]],
          offset: inTitle,
        })
      const at = item.text.toLowerCase().indexOf(word)
      const from = Math.max(0, at - 40)
      if (at >= 0)
        found.push({
          ...base,
          field: 'transcript',
          partId: `line-${item.id}`,
          snippet: item.text.slice(from, at + 80),
          ranges: [[at - from, at - from + word.length]],
          offset: at,
        })
      return found
    })
    return { hits: hits.slice(0, 30), more: hits.length > 30, tookMs: 3 }
  }

  type Handler = (payload: never) => unknown
  const handlers: Record<string, Handler> = {
    'app.info': (): AppInfo => ({
      version: '0.1.0',
      host: 'loopback',
      platform: 'linux',
      fileHost: scenario.fileHost ?? false,
      mediaBase: scenario.mediaBase ?? '/media/',
      connection: connection(),
      storage: scenario.storage ?? { state: 'ok' },
      lastRun: null,
    }),
    'app.storage': () => ({
      dataFolder: '/home/ada/.config/Lectern',
      database: 2_400_000,
      media: 48_700_000,
      backups: 4_100_000,
      free: 81_000_000_000,
    }),
    'app.eraseAll': () => ({}),
    'settings.get': () => settings,
    'settings.update': (change: Partial<Settings>) => (settings = { ...settings, ...change }),
    'accounts.list': () => accounts,
    'accounts.create': ({
      preset,
      name,
      baseUrl,
    }: {
      preset: 'zai'
      name: string
      baseUrl?: string
    }) => {
      const account = {
        id: `acc-${accounts.length}`,
        preset,
        name,
        profile: { ...presets[preset], ...(baseUrl !== undefined && { baseUrl }) },
        createdAt: data.now,
        key: {
          present: false,
          backend: 'none' as const,
          store: 'Secret Service',
          last4: null,
          trouble: null,
        },
        active: false,
      }
      accounts = [...accounts, account]
      return account
    },
    'accounts.update': ({ id, ...change }: { id: string }) => {
      accounts = accounts.map((one) => (one.id === id ? { ...one, ...change } : one))
      return accounts.find((one) => one.id === id)
    },
    'accounts.remove': ({ id }: { id: string }) => {
      accounts = accounts.filter((one) => one.id !== id)
      return {}
    },
    'accounts.activate': ({ id }: { id: string }) => {
      accounts = accounts.map((one) => ({ ...one, active: one.id === id }))
      return accounts.find((one) => one.id === id)
    },
    'accounts.setKey': ({ id, key }: { id: string; key: string }) => {
      const status = {
        present: true,
        backend: 'keychain' as const,
        store: 'Secret Service',
        last4: key.slice(-4),
        trouble: null,
      }
      accounts = accounts.map((one) => (one.id === id ? { ...one, key: status } : one))
      return status
    },
    'accounts.clearKey': ({ id }: { id: string }) => {
      const status = {
        present: false,
        backend: 'none' as const,
        store: 'Secret Service',
        last4: null,
        trouble: null,
      }
      accounts = accounts.map((one) => (one.id === id ? { ...one, key: status } : one))
      return status
    },
    'accounts.check': () => ({ outcome: 'ok', ms: 212, model: null }),
    'library.list': ({
      bin,
      limit,
      cursor,
    }: {
      bin?: boolean
      limit?: number
      cursor?: string
    }) => {
      const from = Number(cursor ?? 0)
      const fitting = [...items.values()]
        .filter((item) => (item.deletedAt !== null) === (bin ?? false))
        .toSorted((a, b) => b.createdAt - a.createdAt)
      const page = fitting.slice(from, from + (limit ?? 100)).map(summary)
      const next = from + page.length < fitting.length ? String(from + page.length) : null
      return { items: page, next, total: fitting.length }
    },
    'library.summary': ({ id }: { id: string }) => summary(need(id)),
    'library.rename': ({ id, title }: { id: string; title: string }) => {
      patch([id], { title })
      return summary(need(id))
    },
    'library.remove': ({ ids }: { ids: string[] }) => patch(ids, { deletedAt: data.now }),
    'library.restore': ({ ids }: { ids: string[] }) => patch(ids, { deletedAt: null }),
    'library.purge': ({ ids }: { ids: string[] }) => {
      for (const id of ids) items.delete(id)
      return {}
    },
    'library.search': ({ query }: { query: string }) => search(query),
    'library.import': () => ({ kind: 'meeting', itemId: 'new', known: false, error: null }),
    'work.list': () => ({ work: [] }),
    'work.dismiss': () => ({ work: [] }),
    'activity.list': (query: {
      outcome?: string
      accountId?: string
      text?: string
      before?: number
      limit?: number
    }) => {
      if (scenario.empty) return { calls: [], more: false }
      const fitting = data
        .calls()
        .filter((call) => !query.outcome || call.outcome === query.outcome)
        .filter((call) => !query.accountId || call.accountId === query.accountId)
        .filter((call) => !query.text || call.operation.includes(query.text))
        .filter((call) => query.before === undefined || call.id < query.before)
      const limit = query.limit ?? 100
      return { calls: fitting.slice(0, limit), more: fitting.length > limit }
    },
    'streams.attach': ({ streamId }: { streamId: string }) => ({
      streamId,
      nextSeq: 0,
    }),
    'streams.detach': () => ({}),
    'streams.cancel': () => ({ cancelled: true }),
  }

  return {
    requests,
    items,
    push,
    app,
    stream: (event) => push({ channel: 'stream', event }),
    answer: (route, handler) => void (handlers[route] = handler),
    async request(route, payload): Promise<Reply<unknown>> {
      requests.push({ route, payload })
      const failed = scenario.fail?.[route]
      if (failed) return { ok: false, error: failed }
      const handler = handlers[route]
      if (!handler) return { ok: false, error: data.failure('ROUTE_NOT_FOUND') }
      try {
        // As over a real bridge: replies are copies and cannot be changed from the other side.
        const result = handler(payload as never)
        return {
          ok: true,
          data: structuredClone(result instanceof Promise ? await result : result),
        }
      } catch (error) {
        if (error instanceof Refusal) return { ok: false, error: error.failure }
        throw error
      }
    },
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
