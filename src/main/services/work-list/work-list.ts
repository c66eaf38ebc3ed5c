import type { ParsedOf } from '../../../shared/bridge/routes.ts'
import type { Work } from '../../../shared/model/work.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'
import type { Chats } from '../chats/types.ts'
import type { DocumentsService } from '../documents/types.ts'
import type { Embeddings } from '../embeddings/types.ts'
import type { Meetings } from '../meetings/types.ts'
import type { Semantic } from '../semantic/types.ts'
import type { Transcriptions } from '../transcribe/transcribe.ts'
import { asked } from './asked.ts'
import { items } from './items.ts'

/** What the list is built from. */
export interface WorkDeps {
  readonly store: Store
  readonly meetings: Pick<Meetings, 'fill'>
  readonly transcriptions: Pick<Transcriptions, 'move'>
  readonly documents: Pick<DocumentsService, 'cancel' | 'retry' | 'queue'>
  readonly chats: Pick<Chats, 'configure'>
  readonly embeddings: Pick<Embeddings, 'get' | 'cancel' | 'start'>
  readonly semantic: Pick<Semantic, 'begin' | 'stop'>
}

/** Everything that goes on by itself, as one list: rows say what is under way, whoever asks. */
export interface WorkList {
  all(): readonly Work[]
  /** Lets another account go on with what waits; see the route `work.move`. */
  move(request: ParsedOf<'work.move'>): Promise<void>
}

/** Builds it. */
export function createWorkList(deps: WorkDeps): WorkList {
  const { store } = deps
  const { fill } = deps.meetings

  const all = (): readonly Work[] => [
    ...items(store, deps.documents.queue()),
    ...asked(store),
    ...indexes(store),
  ]

  const moves: Readonly<Record<string, (id: string, accountId: string) => Promise<unknown>>> = {
    meeting: (id, accountId) => fill({ id, accountId }),
    transcription: (id, accountId) => deps.transcriptions.move(id, accountId),
    async document(versionId, accountId) {
      const version = store.documents.version(versionId)
      if (!version) throw gone()
      const open = store.documents
        .pages(version.documentId, { versionId })
        .filter(({ state }) => state === 'waiting')
      await deps.documents.cancel(versionId)
      deps.documents.retry({ versionId, accountId, pages: open.map(({ page }) => page) })
    },
    async chat(messageId, accountId) {
      const conversation = store.chats.get(store.chats.message(messageId)?.conversationId ?? '')
      if (!conversation) throw gone()
      deps.chats.configure({ id: conversation.id, settings: conversation.settings, accountId })
    },
    async texts(id, accountId) {
      const run = deps.embeddings.get(id)
      const sets = run.sets.map(({ model, dimensions }) => ({ model, dimensions }))
      await deps.embeddings.cancel(id)
      // Vectors of two services are not compared: all are made there, and what came stays with the run that was stopped.
      await deps.embeddings.start({ mediaId: run.textsMediaId, title: run.title, sets, accountId })
    },
    async index(id, accountId) {
      const index = store.semantic.indexes().find((one) => String(one.id) === id)
      if (!index) throw gone()
      const { model, dimensions, kinds, since } = index
      await deps.semantic.stop(index.id)
      await deps.semantic.begin({ accountId, model, dimensions, kinds, since })
    },
  }

  return {
    all,
    async move({ kind, id, accountId }) {
      if (!store.accounts.get(accountId)) throw new AppError('NOT_FOUND', 'No such account')
      const found = all().find((one) => one.kind === kind && one.id === id)
      if (!found) throw gone()
      if (!found.movable || !moves[kind])
        throw new AppError('REFUSED', 'It cannot go on elsewhere now', { params: { what: 'move' } })
      await moves[kind](id, accountId)
    },
  }
}

const gone = (): AppError => new AppError('NOT_FOUND', 'It is not under way')

/** What of the Library is being embedded. */
const indexes = (store: Store): readonly Work[] =>
  store.semantic.indexes().flatMap((index): Work[] => {
    const { state, accountId, accountName, error, done, waiting } = index
    if (waiting === 0 || (state !== 'running' && state !== 'waiting')) return []
    const id = String(index.id)
    const progress = done / Math.max(1, done + waiting)
    const common = { accountId, accountName, state, progress, error, title: '' }
    return [{ ...common, kind: 'index', id, placeId: id, movable: state === 'waiting' }]
  })
