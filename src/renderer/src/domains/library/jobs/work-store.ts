import { defineStore } from 'pinia'
import { computed, onScopeDispose, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Work, WorkKind, WorkTarget } from '../../../../../shared/model/work.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useAccounts } from '../../settings/index.ts'
import { useArchive } from '../archive/archive-store.ts'
import { useIntake } from '../intake/intake-store.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Milliseconds within which changes are combined into one read. */
const togetherMs = 400
/** Polling interval of running work in milliseconds: not every step is reported. */
const againMs = 3000

/** Identity of work in the list. */
type JobId = Pick<Work, 'kind' | 'id'>

/** An account that can continue waiting work, and the model it uses there if that differs. */
export interface WorkOffer {
  readonly accountId: string
  readonly target: WorkTarget | null
}

/** All running, waiting or failed work, as listed by main, and the work of this page itself. */
export const useWork = defineStore('work', () => {
  const client = useClient()
  const accounts = useAccounts()
  const archive = useArchive()
  const intake = useIntake()
  const list = shallowRef<readonly Work[]>([])
  const failure = shallowRef<Failure | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const load = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const isLatest = latest.start()
    const reply = await client.request('work.list', {})
    if (reply.ok && isLatest()) list.value = reply.data.work
  }
  const soon = (): void => {
    timer ??= setTimeout(() => void load(), togetherMs)
  }
  client.onEvent((event) => {
    if (event.type !== 'activity.added') soon()
  })
  const looking = setInterval(() => {
    if (list.value.some(({ state }) => state !== 'failed' && state !== 'ready')) soon()
  }, againMs)
  onScopeDispose(() => {
    clearTimeout(timer)
    clearInterval(looking)
  })

  /** Imports of this page, and archives. */
  const own = computed(
    () =>
      intake.imports.filter(({ state }) => ['waiting', 'uploading', 'adding'].includes(state))
        .length +
      (archive.arriving === null ? 0 : 1) +
      (archive.job?.state === 'running' ? 1 : 0),
  )
  const inState = (state: Work['state']): readonly Work[] =>
    list.value.filter((one) => one.state === state)
  const running = computed(() => inState('running').length + own.value)
  const queued = computed(() => inState('queued').length)
  const waiting = computed(() => inState('waiting').length)
  const failed = computed(() => inState('failed').length)
  /** Exports whose file is to be saved. */
  const ready = computed(() => inState('ready').length)
  const find = (kind: WorkKind, id: string): Work | undefined =>
    list.value.find((one) => one.kind === kind && one.id === id)

  /** Returns the accounts that could continue the work instead of its own. */
  const others = (work: Work) =>
    accounts.accounts.filter(
      ({ id, preset, key }) => id !== work.accountId && (preset === 'local' || key.present),
    )
  // Their names are needed as soon as work is waiting.
  watch(waiting, (now) => {
    if (now > 0 && !accounts.loaded) void accounts.load()
  })
  /** Returns the possible actions on other accounts. */
  const offers = (work: Work): readonly WorkOffer[] =>
    others(work).flatMap(({ id: accountId }): readonly WorkOffer[] =>
      work.targets === null
        ? work.movable
          ? [{ accountId, target: null }]
          : []
        : work.targets
            .filter((target) => target.accountId === accountId)
            .map((target) => ({ accountId, target })),
    )
  /**
   * Moves waiting work; `confirmed`: the user accepts that it may be run and charged twice. Returns `mayBeDone` if it
   * needs that confirmation: an attempt may have ended since the list was read.
   */
  const move = async (
    { kind, id }: Work,
    { accountId, target }: WorkOffer,
    confirmed: boolean,
  ): Promise<'moved' | 'mayBeDone' | 'failed'> => {
    const choice = target && { choiceId: target.choiceId }
    const reply = await client.request('work.move', { kind, id, accountId, ...choice, confirmed })
    soon()
    failure.value = null
    if (reply.ok) {
      list.value = reply.data.work
      return 'moved'
    }
    if (reply.error.params?.['what'] === 'mayBeDone') return 'mayBeDone'
    failure.value = reply.error
    return 'failed'
  }
  /** Stops the transcription of a meeting. */
  const stopTranscription = async (id: string): Promise<void> => {
    const reply = await client.request('meetings.stopTranscription', { id })
    failure.value = reply.ok ? null : reply.error
    soon()
  }
  /** Retries the failed segments of a meeting. */
  const retryTranscription = async (id: string): Promise<void> => {
    const reply = await client.request('meetings.fill', { id })
    failure.value = reply.ok ? null : reply.error
    soon()
  }
  const change = async (
    route: 'work.dismiss' | 'work.retryExport' | 'work.removeExport',
    id: string,
  ): Promise<void> => {
    const reply = await client.request(route, { id })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) list.value = reply.data.work
  }
  /** Retries failed work, of which only transcriptions and exports are listed. */
  const retry = ({ kind, id }: JobId): Promise<void> =>
    kind === 'export' ? change('work.retryExport', id) : retryTranscription(id)
  /** Stops a transcription or an export. */
  const stop = ({ kind, id }: JobId): Promise<void> =>
    kind === 'export' ? change('work.removeExport', id) : stopTranscription(id)
  /** Removes failed work, or an export that is ready, from the list. */
  const dismiss = ({ kind, id }: JobId): Promise<void> =>
    change(kind === 'export' ? 'work.removeExport' : 'work.dismiss', id)
  /** Asks a question in a new chat of another account; returns its ID, null if that failed. */
  const ask = async ({ id }: Work, accountId: string): Promise<string | null> => {
    const reply = await client.request('chats.askElsewhere', { messageId: id, accountId })
    failure.value = reply.ok ? null : reply.error
    soon()
    return reply.ok ? reply.data.id : null
  }

  return {
    list,
    running,
    queued,
    waiting,
    failed,
    ready,
    own,
    failure,
    load,
    find,
    others,
    offers,
    move,
    stop,
    retry,
    dismiss,
    ask,
  }
})
