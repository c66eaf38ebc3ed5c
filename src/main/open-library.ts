import type { Working } from './background-work.ts'
import type { Pages } from './platform/bridge/events.ts'
import type { HandlerParts } from './routes.ts'
import type { WorkerUrl } from './deps.ts'
import type { Connection } from './domains/settings/service/connection/connection.ts'
import { createRemoteGet } from './provider-client/remote-get.ts'
import { createEmbeddings } from './domains/knowledge/service/embeddings/embeddings.ts'
import type {
  Embeddings,
  EmbeddingsDeps,
} from './domains/knowledge/service/embeddings/embedding-types.ts'
import {
  createKnowledgeBases,
  type Knowledge,
  type KnowledgeDeps,
} from './domains/knowledge/service/all.ts'
import type { NetworkChoices } from './domains/settings/service/network/network.ts'
import { createRerank } from './domains/knowledge/service/rerank/rerank.ts'
import type { RerankDeps } from './domains/knowledge/service/rerank/rerank-types.ts'
import {
  createRetrieval,
  type RetrievalDeps,
} from './domains/knowledge/service/retrieval/retrieval.ts'
import {
  createWatched,
  type Watched,
  type WatchedDeps,
} from './domains/playground/service/saved-files/saved-files-setup.ts'
import { createSemantic } from './domains/library/service/semantic/semantic.ts'
import type { Semantic, SemanticDeps } from './domains/library/service/semantic/types.ts'
import {
  createSlices,
  type Slices,
  type SlicesDeps,
} from './domains/knowledge/service/slices/chunk-retrieval.ts'
import { createSpeechOutputWorker } from './domains/voices/service/speech/speech-output-worker.ts'
import { createSpeech } from './domains/voices/service/speech/speech.ts'
import type { SpeechService, SpeakingParts } from './domains/voices/service/speech/types.ts'
import type { Unsaved } from './platform/database/unsaved.ts'
import { viewOf } from './domains/playground/service/tasks/tasks.ts'
import {
  createEmbedTexts,
  type EmbedTextsDeps,
} from './domains/knowledge/service/vectors/embed-texts.ts'
import { createAllVoices, type AllVoicesDeps } from './domains/voices/service/voices/all.ts'
import type { Voices } from './domains/voices/service/voices/voices.ts'

/** Dependencies of the workbench. */
export type LibraryFeaturesDeps = Omit<
  WatchedDeps,
  'onTask' | 'onRemoteItem' | 'onRemoved' | 'onFiles'
> &
  Omit<AllVoicesDeps, 'onVoices' | 'onSample'> &
  Omit<KnowledgeDeps, 'onChange' | 'onImages' | 'onWaiting' | 'remote'> &
  Omit<RerankDeps, 'onRanking'> &
  Omit<EmbeddingsDeps, 'onRun' | 'onWaiting' | 'embed'> &
  Pick<RetrievalDeps, 'api' | 'files'> &
  Pick<SlicesDeps, 'api' | 'files'> &
  Omit<SemanticDeps, 'texts' | 'onIndexes'> &
  EmbedTextsDeps &
  Omit<AllSpeechDeps, keyof ReturnType<typeof speechEvents> | 'onWaiting'> & {
    readonly pages: Pages
    readonly connection: Pick<Connection, 'setWaiting'>
    readonly unsaved: Pick<Unsaved, 'shutdown' | 'stopAll'>
    /** Network settings for images that responses refer to. */
    readonly network: NetworkChoices
  }

/**
 * Services for items of the provider: tasks, Responses, slides, voices, knowledge bases and their chats, rankings,
 * embeddings.
 */
export interface LibraryFeatures {
  readonly watched: Watched
  readonly knowledge: Knowledge
  readonly slices: Slices
  readonly semantic: Pick<Semantic, 'begin' | 'stop'>
  readonly embeddings: Pick<Embeddings, 'get' | 'cancel' | 'start'>
  readonly speech: Pick<SpeechService, 'move'>
  readonly voices: Pick<Voices, 'list'>
  /** Background work of these services. */
  readonly works: readonly Working[]
  /** Dependencies of their routes. */
  readonly handlers: Pick<
    HandlerParts,
    | 'tasks'
    | 'responses'
    | 'slides'
    | 'voices'
    | 'knowledge'
    | 'rerank'
    | 'embeddings'
    | 'retrieval'
    | 'slices'
    | 'speech'
    | 'semantic'
  >
}

/** Creates the workbench; separate from the composition root to keep that readable. */
export function createLibraryFeatures({
  pages,
  connection,
  unsaved,
  ...deps
}: LibraryFeaturesDeps): LibraryFeatures {
  const watched = createWatched({
    ...deps,
    onTask: (task) => pages.emit({ type: 'task.changed', task: viewOf(task) }),
    onRemoteItem: (remoteItem) => pages.emit({ type: 'remoteItem.changed', remoteItem }),
    onRemoved: (kind, id) => pages.emit({ type: 'remoteItem.removed', kind, id }),
    onFiles: (ownerId) => pages.emit({ type: 'files.changed', ownerId }),
  })
  const voices = createAllVoices({
    ...deps,
    onVoices: (accountId) => pages.emit({ type: 'voices.changed', accountId }),
    onSample(id) {
      pages.emit({ type: 'voice.changed', id })
      pages.emit({ type: 'library.changed', itemIds: [id] })
    },
  })
  const remote = createRemoteGet(deps.network)
  const knowledge = createKnowledgeBases({
    ...deps,
    remote,
    onImages: (accountId, documentId) =>
      pages.emit({ type: 'knowledge.images', accountId, documentId }),
    onChange: (accountId, baseId) => pages.emit({ type: 'knowledge.changed', accountId, baseId }),
    onWaiting: (waiting) => connection.setWaiting('knowledge', waiting),
  })
  const rerank = createRerank({
    ...deps,
    onRanking: (ranking) => pages.emit({ type: 'rerank.changed', ranking }),
  })
  const retrieval = createRetrieval({
    ...deps,
    images: knowledge.images,
    onRun: (run, row) => pages.emit({ type: 'retrieval.changed', run, row }),
    onRemoved: (ids) => pages.emit({ type: 'retrieval.removed', ids }),
    onSet: (id) => pages.emit({ type: 'retrieval.set', id }),
    onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
    onWaiting: (count) => connection.setWaiting('retrieval', count),
  })
  const slices = createSlices({
    ...deps,
    remote,
    onSlices: (request) => pages.emit({ type: 'slices.changed', positionRequest: request }),
  })
  const texts = createEmbedTexts(deps)
  const embeddings = createEmbeddings({
    ...deps,
    embed: texts,
    onRun: (run) => pages.emit({ type: 'embeddings.changed', run }),
    onWaiting: (count) => connection.setWaiting('embeddings', count),
  })
  const semantic = createSemantic({
    ...deps,
    texts,
    onIndexes: () => pages.emit({ type: 'semantic.changed' }),
  })
  const { tasks, remoteItems, savedFiles, packs } = watched
  const speech = createAllSpeech({
    ...deps,
    ...speechEvents(pages),
    onWaiting: (count) => connection.setWaiting('speech', count),
  })
  return {
    watched,
    knowledge,
    slices,
    semantic,
    embeddings,
    speech,
    voices: voices.voices,
    works: [unsaved, rerank, embeddings, retrieval, slices, voices, speech, semantic],
    handlers: {
      tasks: [tasks, savedFiles, packs, (id) => pages.emit({ type: 'task.forgotten', id })],
      responses: [remoteItems],
      slides: [remoteItems, savedFiles, packs],
      voices: [voices],
      knowledge: [knowledge],
      rerank: [rerank],
      embeddings: [embeddings],
      retrieval: [retrieval, deps.clock],
      slices: [slices, deps.clock],
      speech: [speech],
      semantic: [semantic],
    },
  }
}

type AllSpeechDeps = Omit<SpeakingParts, 'spoken'> & { readonly workerUrl: WorkerUrl }

/** Creates the narration service with its audio worker. */
const createAllSpeech = (deps: AllSpeechDeps): SpeechService =>
  createSpeech({ ...deps, spoken: createSpeechOutputWorker(deps.workerUrl) })

/** Sends narration events to every page. */
const speechEvents = (
  pages: Pages,
): Pick<SpeakingParts, 'onSpeech' | 'onSegments' | 'onLibrary'> => ({
  onSpeech: (speech) => pages.emit({ type: 'speech.changed', speech }),
  onSegments: (id, segments) => pages.emit({ type: 'speech.segments', id, segments }),
  onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
})
