import type { ParsedOf, ReplyOf } from '../../../../../shared/contract/routes.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../../../../../shared/model/slices.ts'
import type { DocumentSlices } from '../../../../provider-client/slices.ts'
import { readPositions } from '../../../../provider-client/slices.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Context } from '../../../../context.ts'
import type { Ids } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { FetchedChunks } from '../../store/slices-types.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'

import { addChunkImages, type ImageFetchingDeps } from './save-chunk-images.ts'

interface SlicesDeps extends ImageFetchingDeps, Pick<Context, 'emit'> {
  readonly store: Store
  readonly api: { readonly slices: Api['slices'] }
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly ids: Ids
}

/** Citation positions by two provider IDs (service-notes 11), saved with their images. */
export interface Slices {
  requestPositions(request: ParsedOf<'slices.request'>): Promise<ReplyOf<'slices.request'>>
  /** Throws REFUSED for a temporary chat. */
  ofMessage(request: ParsedOf<'slices.ofMessage'>): ChunkRequest
  /** The same for chunks that a chat just fetched, unless the chat is temporary. */
  remember(request: ParsedOf<'slices.ofMessage'>): void
  list: Store['slices']['list']
  get(id: string): ChunkRequestWhole
  raw: Store['slices']['raw']
  retryImages(id: string): ChunkRequestWhole
  remove(ids: readonly string[], at: number | null): void
  /** Resumes the work of an earlier run. */
  resume(): void
  accountReady(): void
  busy(): boolean
  /** Stops running downloads of images. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** Maximum number of images downloaded per response. */
const maxImages = 300
/** Maximum number of names shown in lists. */
const namesShown = 5
/** Time in milliseconds during which a removal can be undone. */
const undoMs = 24 * 60 * 60 * 1000

export function createSlices(deps: SlicesDeps): Slices {
  const { store, clock, ids, log } = deps
  const rows = store.slices
  const notify = (id: string): void => {
    const chunkRequest = rows.get(id)
    if (!chunkRequest) return
    const { data: _, images: _images, hasOldDocument: _old, ...brief } = chunkRequest
    deps.emit({ type: 'slices.changed', positionRequest: brief })
  }
  const images = addChunkImages(deps, rows.images, ({ owner }) => notify(owner))
  const get = (id: string): ChunkRequestWhole => {
    const found = rows.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'Chunk request not found')
    return found
  }
  const keep = (id: string, fetched: FetchedChunks, at: number): ChunkRequestWhole => {
    const saved = rows.keep(id, fetched, at)
    notify(id)
    images.kick()
    return saved
  }
  const ask = async (chunkRequest: ChunkRequest): Promise<ChunkRequestWhole> => {
    try {
      const target = await deps.accounts.target(chunkRequest.accountId)
      const request = { askedId: chunkRequest.requestId, nodeId: chunkRequest.nodeId }
      const { raw, value } = await deps.api.slices.positions(target, request, {})
      const data = dataOf(raw.body)
      return keep(chunkRequest.id, { ...summaryOf(value.documents), data, raw }, clock())
    } catch (error) {
      rows.fail(chunkRequest.id, toFailure(error, clock()))
      notify(chunkRequest.id)
      throw error
    }
  }

  const ofMessage: Slices['ofMessage'] = ({ messageId, requestId, nodeId }) => {
    const message = store.chats.message(messageId)
    const conversation = message && store.chats.get(message.conversationId)
    const slice = message?.slices.find(
      (one) => one.requestId === requestId && one.nodeId === nodeId,
    )
    if (!conversation || !slice) throw new AppError('NOT_FOUND', 'Chunks not found')
    if (conversation.temporary)
      throw new AppError('REFUSED', 'Chunks of a temporary chat cannot be saved')
    const { accountId } = conversation
    const known = rows.byIds(accountId, requestId, nodeId)
    if (known && (known.receivedAt ?? 0) >= slice.at) {
      rows.remove([known.id], null)
      return known
    }
    const chunkRequest = rows.begin({
      id: ids(),
      accountId,
      accountName: store.accounts.get(accountId)?.name ?? '',
      requestId,
      nodeId,
      messageId,
      at: slice.at,
    })
    const { documents } = readPositions({ data: slice.data })
    return keep(chunkRequest.id, { ...summaryOf(documents), data: slice.data, raw: null }, slice.at)
  }

  return {
    async requestPositions({ accountId, requestId, nodeId }) {
      const account =
        accountId === undefined ? deps.accounts.active() : store.accounts.get(accountId)
      if (!account) throw new AppError('NOT_FOUND', 'Account not found')
      const chunkRequest = rows.begin({
        id: ids(),
        accountId: account.id,
        accountName: account.name,
        requestId,
        nodeId,
        messageId: null,
        at: clock(),
      })
      deps.emit({ type: 'slices.changed', positionRequest: chunkRequest })
      return ask(chunkRequest)
    },
    ofMessage,
    remember(request) {
      const message = store.chats.message(request.messageId)
      if (message && store.chats.get(message.conversationId)?.temporary === false)
        ofMessage(request)
    },
    list: (query) => rows.list(query),
    get,
    raw: (id) => rows.raw(id),
    retryImages(id) {
      rows.retryImages(id)
      images.kick()
      return get(id)
    },
    remove(wanted, at) {
      rows.remove(wanted, at)
      for (const id of wanted) notify(id)
    },
    resume() {
      for (const media of rows.purge(clock() - undoMs))
        deps.files
          .remove(media)
          .catch((error: unknown) => log.warn('failed to remove an image of chunks', { error }))
      for (const chunkRequest of rows.unfinished())
        ask(chunkRequest).catch((error: unknown) => {
          if (!(error instanceof AppError)) log.error('failed to fetch chunks', { error })
        })
      images.kick()
    },
    accountReady: () => images.wake(),
    busy: () => images.busy(),
    stopAll: () => images.stopAll(),
    shutdown: () => images.shutdown(),
  }
}

function summaryOf(
  documents: readonly DocumentSlices[],
): Pick<FetchedChunks, 'documents' | 'slices' | 'images'> {
  const urls = documents.flatMap(({ images }) => images.map(({ url }) => url))
  return {
    documents: documents.slice(0, namesShown).map(({ document }) => document.name),
    slices: documents.reduce((sum, { slices }) => sum + slices.length, 0),
    images: [...new Set(urls)].slice(0, maxImages),
  }
}

/** Returns the `data` of a response as received; null when missing. */
export function dataOf(body: string): unknown {
  const json: unknown = JSON.parse(body)
  return typeof json === 'object' && json !== null && 'data' in json ? json.data : null
}
