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
export const workPath = ({ kind, placeId }: Pick<Work, 'kind' | 'placeId'>): string =>
  kind === 'index' || kind === 'export' || placeId === ''
    ? `/${places[kind]}`
    : `/${places[kind]}/${placeId}`
