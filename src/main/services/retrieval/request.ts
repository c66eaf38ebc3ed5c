import type { RetrievalSettings } from '../../../shared/model/retrieval.ts'
import type { RetrieveRequest } from '../../api/knowledge.ts'

/** The request for one question in one mode (service-notes 7). */
export function requestOf(
  query: string,
  settings: RetrievalSettings,
  rerank: boolean,
): RetrieveRequest {
  const { bases, documents, topK, topN, recallMethod, recallRatio } = settings
  return {
    query,
    knowledgeIds: bases.map(({ id }) => id),
    ...(documents.length > 0 && { documentIds: documents.map(({ id }) => id) }),
    topK,
    topN,
    recallMethod,
    // Sets the ratio of mixed retrieval; other methods have no use for it.
    ...(recallMethod === 'mixed' && { recallRatio }),
    rerank,
    ...(rerank && { rerankModel: settings.rerankModel }),
    ...(settings.threshold !== null && { fractionalThreshold: settings.threshold }),
  }
}
