import type { ParsedOf, ReplyOf } from '../../../shared/bridge/routes.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../../../shared/model/slices.ts'
import type { DocumentSlices } from '../../api/slices.ts'
import { readPositions } from '../../api/slices.ts'
import type { Api } from '../../api/types.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { RemoteDeps } from '../../security/remote-fetch.ts'
import type { FetchedChunks } from '../../store/slices-types.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { dataOf } from '../chats/sources.ts'
import { createImageFetching } from './chunk-images.ts'

/** What looks for slices are built from. */
export interface SlicesDeps {
  readonly store: Store
  readonly api: { readonly slices: Api['slices'] }
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly files: Pick<MediaFiles, 'intake' | 'path' | 'remove'>
  readonly remote: RemoteDeps
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  after(ms: number, work: () => void): () => void
  /** Told after a look, or one of its pictures, changed. */
  onSlices(lookup: ChunkRequest): void
}

/** Citation positions by two ids of the service (service-notes 11), kept with the pictures they name. */
export interface Slices {
  lookup(request: ParsedOf<'slices.lookup'>): Promise<ReplyOf<'slices.lookup'>>
  /** Throws REFUSED for a conversation that leaves nothing behind. */
  ofMessage(request: ParsedOf<'slices.ofMessage'>): ChunkRequest
  /** The same for slices that a conversation just fetched, unless it leaves nothing behind. */
  remember(request: ParsedOf<'slices.ofMessage'>): void
  list: Store['slices']['list']
  get(id: string): ChunkRequestWhole
  raw: Store['slices']['raw']
  retryPictures(id: string): ChunkRequestWhole
  remove(ids: readonly string[], at: number | null): void
  /** Goes on with what an earlier run of the app left. */
  resume(): void
  accountReady(): void
  busy(): boolean
  shutdown(): Promise<void>
}

/** Pictures of one reply that are fetched. */
const maxImages = 300
/** Names that lists show. */
const namesShown = 5
/** What was removed is kept for its undo, in milliseconds. */
const undoMs = 24 * 60 * 60 * 1000

/** Builds it. */
export function createSlices(deps: SlicesDeps): Slices {
  const { store, clock, ids, log } = deps
  const kept = store.slices
  const tell = (id: string): void => {
    const lookup = kept.get(id)
    if (!lookup) return
    const { data: _, pictures: _images, hasOldDocument: _old, ...brief } = lookup
    deps.onSlices(brief)
  }
  const pictures = createImageFetching(deps, kept.pictures, ({ owner }) => tell(owner))
  const get = (id: string): ChunkRequestWhole => {
    const found = kept.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'There is no such look')
    return found
  }
  const keep = (id: string, came: FetchedChunks, at: number): ChunkRequestWhole => {
    const lookup = kept.keep(id, came, at)
    tell(id)
    pictures.kick()
    return lookup
  }
  const ask = async (look: ChunkRequest): Promise<ChunkRequestWhole> => {
    try {
      const target = await deps.accounts.target(look.accountId)
      const request = { askedId: look.requestId, nodeId: look.nodeId }
      const { raw, value } = await deps.api.slices.positions(target, request, {})
      const data = dataOf(raw.body)
      return keep(look.id, { ...summaryOf(value.documents), data, raw }, clock())
    } catch (error) {
      kept.fail(look.id, toFailure(error, clock()))
      tell(look.id)
      throw error
    }
  }

  const ofMessage: Slices['ofMessage'] = ({ messageId, requestId, nodeId }) => {
    const message = store.chats.message(messageId)
    const conversation = message && store.chats.get(message.conversationId)
    const told = message?.slices.find((one) => one.requestId === requestId && one.nodeId === nodeId)
    if (!conversation || !told) throw new AppError('NOT_FOUND', 'There are no such slices')
    if (conversation.temporary)
      throw new AppError('REFUSED', 'A temporary conversation leaves nothing behind')
    const { accountId } = conversation
    const known = kept.byIds(accountId, requestId, nodeId)
    if (known && (known.cameAt ?? 0) >= told.at) {
      kept.remove([known.id], null)
      return known
    }
    const look = kept.begin({
      id: ids(),
      accountId,
      accountName: store.accounts.get(accountId)?.name ?? '',
      requestId,
      nodeId,
      messageId,
      at: told.at,
    })
    const { documents } = readPositions({ data: told.data })
    return keep(look.id, { ...summaryOf(documents), data: told.data, raw: null }, told.at)
  }

  return {
    async lookup({ accountId, requestId, nodeId }) {
      const account =
        accountId === undefined ? deps.accounts.active() : store.accounts.get(accountId)
      if (!account) throw new AppError('NOT_FOUND', 'There is no such account')
      const look = kept.begin({
        id: ids(),
        accountId: account.id,
        accountName: account.name,
        requestId,
        nodeId,
        messageId: null,
        at: clock(),
      })
      deps.onSlices(look)
      return ask(look)
    },
    ofMessage,
    remember(request) {
      const message = store.chats.message(request.messageId)
      if (message && store.chats.get(message.conversationId)?.temporary === false)
        ofMessage(request)
    },
    list: (query) => kept.list(query),
    get,
    raw: (id) => kept.raw(id),
    retryPictures(id) {
      kept.retryPictures(id)
      pictures.kick()
      return get(id)
    },
    remove(wanted, at) {
      kept.remove(wanted, at)
      for (const id of wanted) tell(id)
    },
    resume() {
      for (const media of kept.purge(clock() - undoMs))
        deps.files
          .remove(media)
          .catch((error: unknown) => log.warn('a picture of slices is not removed', { error }))
      for (const look of kept.asking())
        ask(look).catch((error: unknown) => {
          if (!(error instanceof AppError)) log.error('slices', { error })
        })
      pictures.kick()
    },
    accountReady: () => pictures.kick(),
    busy: () => pictures.busy(),
    shutdown: () => pictures.shutdown(),
  }
}

function summaryOf(
  documents: readonly DocumentSlices[],
): Pick<FetchedChunks, 'documents' | 'slices' | 'pictures'> {
  const urls = documents.flatMap(({ images }) => images.map(({ url }) => url))
  return {
    documents: documents.slice(0, namesShown).map(({ document }) => document.name),
    slices: documents.reduce((sum, { slices }) => sum + slices.length, 0),
    pictures: [...new Set(urls)].slice(0, maxImages),
  }
}
