import type { Work, WorkKind } from '../../../../../shared/model/work.ts'

const places: Readonly<Record<WorkKind, string>> = {
  meeting: 'meetings',
  summary: 'meetings',
  document: 'documents',
  upload: 'knowledge/bases',
  embedding: 'knowledge/bases',
  chat: 'chats',
  speech: 'voices/speak',
  run: 'playground/runs',
  retrieval: 'knowledge/retrieval',
  ranking: 'playground/rerank',
  texts: 'playground/embeddings',
  index: 'playground/search',
  export: 'library',
}

/** Returns the route of work. */
export function workPath({
  kind,
  placeId,
  accountId,
}: Pick<Work, 'kind' | 'placeId' | 'accountId'>): string {
  const path = `/${places[kind]}`
  if (kind === 'index' || kind === 'export' || placeId === '') return path
  // Two accounts can have the same knowledge base.
  const isBase = kind === 'upload' || kind === 'embedding'
  return `${path}/${placeId}${isBase ? `?account=${encodeURIComponent(accountId)}` : ''}`
}
