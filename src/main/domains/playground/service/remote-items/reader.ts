import { versionOwnerOf, type RemoteItem } from '../../../../../shared/model/remote-item.ts'
import type { RawReply } from '../../../../provider-client/types.ts'
import { parseJson } from '../../../../provider-client/json.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Context } from '../../../../context.ts'
import type {
  RemoteItemPatch,
  RemoteItemRecord,
  RemoteItemContent,
} from '../../store/remote-items-types.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { SavedFiles } from '../saved-files/saved-files.ts'
import { createStatusPoller, type StatusPoller } from '../../../../work-queue/status-poller.ts'
import { essenceOf } from './comparable-json.ts'
import { kinds } from './kinds.ts'
import { isRunning } from './response.ts'

export interface ReaderDeps extends Pick<
  Context,
  'store' | 'clock' | 'ids' | 'log' | 'mask' | 'random' | 'workQueue' | 'emit'
> {
  readonly api: Pick<Api, 'responses' | 'slides'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly savedFiles: Pick<SavedFiles, 'want' | 'kick' | 'drop'>
}

/** Fetches remote items, and polls while the provider is processing them. */
interface Reader extends Pick<StatusPoller<never, never>, 'poll' | 'drop' | 'dropAll' | 'close'> {
  /** Resumes an item from an earlier run. */
  takeUp(remoteItem: RemoteItemRecord): void
  /** Saves a response received elsewhere as if it had been requested here. */
  take(id: string, snapshot: Snapshot): Promise<void>
}

/** A response with the name of the engine. */
interface Snapshot {
  readonly raw: RawReply
  readonly reported: RemoteItemContent
  readonly engine: string | null
  readonly notice: string | null
}

export function createReader(deps: ReaderDeps): Reader {
  const { store, clock } = deps

  const take = async (id: string, { raw, reported, engine, notice }: Snapshot): Promise<void> => {
    let unused: readonly string[] = []
    await poller.settle(id, (now) => {
      const number = keep(now, raw, reported)
      // Their URLs expire: files are requested in the transaction that stores the snapshot, and again with each equivalent one.
      deps.savedFiles.want(versionOwnerOf(id, number), now.accountId, reported.files)
      unused = store.remoteItems.trim(id, maxVersions)
      return {
        ...patchOf(now, reported, (text) => deps.mask(text)),
        engine: engine === null ? now.engine : deps.mask(engine),
        notice: notice === null ? now.notice : deps.mask(notice),
      }
    })
    deps.savedFiles.kick()
    await deps.savedFiles.drop(unused)
  }

  /** Saves a snapshot as a new version if it differs from the newest one; returns its number. */
  const keep = (now: RemoteItemRecord, raw: RawReply, reported: RemoteItemContent): number => {
    const [newest] = store.remoteItems.versions(now.id)
    const before = newest && store.replies.get(newest.replyId)
    if (before?.body === raw.body) return newest?.number ?? 1
    const replyId = deps.ids()
    const { operation } = kinds[now.kind]
    store.replies.add({ id: replyId, itemId: null, operation, ...raw, at: clock() })
    const { status } = reported
    const isOther = !before || !isSame(before.body, raw.body)
    // While the provider is processing it, every poll may return a different snapshot: only the newest is saved.
    const goesOn = newest && reported.goesOn && isRunning(newest.status)
    if (!newest || (isOther && !goesOn))
      return store.remoteItems.addVersion(now.id, { replyId, status, at: clock() })
    // The newest response for the same content: its URLs are the currently valid ones.
    const at = isOther ? clock() : newest.at
    store.remoteItems.replaceNewest(now.id, { replyId, status, at })
    store.savedFiles.readdress(versionOwnerOf(now.id, newest.number), reported.files)
    return newest.number
  }

  const patchOf = (
    now: RemoteItemRecord,
    reported: RemoteItemContent,
    mask: (text: string) => string,
  ): RemoteItemPatch => {
    return {
      ...(!now.named && reported.title !== '' && { title: mask(reported.title) }),
      model: reported.model ?? now.model,
      status: reported.status,
      attempts: now.attempts + 1,
      failures: 0,
      error: null,
      fetchedAt: clock(),
      words: mask(reported.words),
      ...(reported.goesOn
        ? { state: 'watching', ...poller.planned(now) }
        : { state: 'over', nextPollAt: null }),
    }
  }

  const poller = createStatusPoller<RemoteItemRecord, RemoteItemPatch>({
    ...deps,
    about: 'saved response',
    rows: store.remoteItems,
    transaction: (work) => store.transaction(work),
    async ask(remoteItem, signal) {
      const target = await deps.accounts.target(remoteItem.accountId)
      const kind = kinds[remoteItem.kind]
      const { answer, reported } = await kind.ask(deps.api, target, remoteItem, { signal })
      const { raw, engine, notice } = answer
      await take(remoteItem.id, { raw, reported, engine, notice })
    },
    failed({ state, fetchedAt }, failed) {
      if (state === 'over') return undefined
      if (failed.state !== 'processing') return { ...failed, state: failed.state }
      return { ...failed, state: fetchedAt === null ? 'asking' : 'watching' }
    },
    onChange: (item) => deps.emit({ type: 'remoteItem.changed', remoteItem: viewOf(item) }),
  })
  return {
    poll: (id) => poller.poll(id),
    drop: (id) => poller.drop(id),
    dropAll: () => poller.dropAll(),
    close: () => poller.close(),
    take,
    takeUp(remoteItem) {
      const { state } = remoteItem
      if (state !== 'over' && state !== 'refused') poller.resume(remoteItem, state !== 'watching')
    },
  }
}

/** Maximum saved versions of an item: a provider that returns different content each time must not fill the library. */
const maxVersions = 50

/** Whether two responses are equivalent, ignoring fields that differ with each request. */
function isSame(before: string, now: string): boolean {
  const [one, other] = [parseJson(before), parseJson(now)]
  return one !== undefined && other !== undefined && essenceOf(one) === essenceOf(other)
}

/** An item without the fields that only main needs. */
export const viewOf = ({
  asked: _,
  named: __,
  failures: ___,
  intervalMs: ____,
  ...remoteItem
}: RemoteItemRecord): RemoteItem => remoteItem
