import type { Works } from '../../background-work.ts'
import type { Context } from '../../context.ts'
import { createRemoteGet } from '../../provider-client/remote-get.ts'
import type { ServiceTarget } from '../../provider-client/types.ts'
import type { Handover } from '../documents/index.ts'
import {
  embeddingHandlers,
  knowledgeHandlers,
  rerankHandlers,
  retrievalHandlers,
  sliceHandlers,
} from './routes.ts'
import { fetchBases } from './service/bases.ts'
import { createEmbeddings } from './service/embeddings/embeddings.ts'
import { createKnowledgeBases } from './service/knowledge.ts'
import { createRerank } from './service/rerank/rerank.ts'
import { createRetrieval } from './service/retrieval/retrieval.ts'
import { createSlices } from './service/slices/chunk-retrieval.ts'
import { createEmbedTexts } from './service/vectors/embed-texts.ts'

/** Knowledge bases, chunks, retrieval tests, rankings and embeddings. */
export function setupKnowledge(
  context: Context,
  needs: {
    /** Notified when a knowledge base accepted the text of a Library document. */
    readonly handover: Pick<Handover, 'taken'>
  },
) {
  const { clock } = context
  const remote = createRemoteGet(context.network)
  const knowledge = createKnowledgeBases({
    ...context,
    ...needs,
    remote,
  })
  const rerank = createRerank(context)
  const retrieval = createRetrieval({ ...context, images: knowledge.images })
  const slices = createSlices({ ...context, remote })
  const texts = createEmbedTexts(context)
  const embeddings = createEmbeddings({ ...context, embed: texts })
  return {
    knowledge,
    slices,
    embeddings,
    texts,
    fetchBases: (target: ServiceTarget) => fetchBases(context, target),
    work: {
      knowledge: [knowledge],
      other: [rerank, retrieval, slices, embeddings],
    } satisfies Works,
    handlers: {
      ...embeddingHandlers(embeddings),
      ...knowledgeHandlers(knowledge),
      ...rerankHandlers(rerank),
      ...retrievalHandlers(retrieval, clock),
      ...sliceHandlers(slices, clock),
    },
  }
}
