import type { RetrievalSettings } from '../../../shared/model/retrieval.ts'
import type { RetrieveRequest } from '../../api/knowledge.ts'

/** What is sent for one question, asked one way (service-notes 7). */
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
    // It shares out a mixed recall; others have nothing to share.
    ...(recallMethod === 'mixed' && { recallRatio }),
    rerank,
    ...(rerank && { rerankModel: settings.rerankModel }),
    ...(settings.threshold !== null && { fractionalThreshold: settings.threshold }),
  }
}
