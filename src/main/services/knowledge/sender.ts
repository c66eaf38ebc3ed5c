import type { Failure } from '../../../shared/bridge/reply.ts'
import type { KnowledgeUpload } from '../../../shared/model/knowledge.ts'
import type { ServiceTarget } from '../../api/types.ts'
import { AppError } from '../../errors.ts'
import { everyPage, pageSize } from './listing.ts'
import type { KnowledgeDeps } from './types.ts'

/** Result of an upload. */
export type Sent =
  | { readonly documentId: string | null }
  /** Rejected by the provider, with the reason. */
  | { readonly refused: Failure }

/** Sends one file or URL to a knowledge base. */
export interface UploadSender {
  /**
   * Checks first whether an upload that may have been received before exists, so that nothing is in a knowledge base twice.
   * Throws the errors of the request, and FILE_MISSING.
   */
  send(upload: KnowledgeUpload, signal: AbortSignal): Promise<Sent>
}

export function createUploadSender(deps: KnowledgeDeps): UploadSender {
  const { store, api, clock } = deps
  const { documents, uploads } = store.knowledge

  /** Finds a document with this name that was created after the upload began and belongs to no other upload. */
  const arrived = async (
    { accountId, baseId, name, createdAt }: KnowledgeUpload,
    target: ServiceTarget,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const size = Math.min(pageSize, target.limits.list.pageSize)
    const { rows } = await everyPage(
      size,
      async (page) => {
        const request = { knowledgeId: baseId, word: name, page, size }
        const { value } = await api.documents.list(target, request, { signal })
        return { rows: value.documents, total: value.total }
      },
      () => undefined,
    )
    const isNew = (id: string): boolean => {
      const known = documents.get(accountId, baseId, id)
      return (!known || known.firstSeenAt >= createdAt) && !uploads.hasUploaded(accountId, id)
    }
    const found = rows.find((one) => (one.name === name || one.url === name) && isNew(one.id))
    return found?.id ?? null
  }
  const fileOf = async ({ mediaId, name }: KnowledgeUpload) => {
    const missing = new AppError('FILE_MISSING', 'The file no longer exists', { params: { name } })
    if (mediaId === null) throw missing
    const { inputFile } = await import('../../operations/input-file.ts')
    return inputFile(await deps.files.path(mediaId), async () => null, name)
  }
  const call = async (upload: KnowledgeUpload, target: ServiceTarget, signal: AbortSignal) => {
    const { type, separators, sentenceSize } = upload.slicing
    const rules = {
      knowledgeType: type,
      ...(type === 5 && { separators, sentenceSize }),
    }
    const { baseId: knowledgeId } = upload
    if (upload.kind === 'url') {
      const urls = [{ url: upload.name, ...rules }]
      return api.documents.uploadUrls(target, { knowledgeId, urls }, { signal })
    }
    return api.documents.upload(
      target,
      {
        knowledgeId,
        files: [await fileOf(upload)],
        ...rules,
        parseImages: upload.parseImages,
        ...(upload.wordLimit !== null && { wordLimit: upload.wordLimit }),
      },
      { signal },
    )
  }

  return {
    async send(upload, signal) {
      const target = await deps.accounts.target(upload.accountId)
      const mayHaveBeenReceived = upload.state === 'sending' || upload.attempts > 0
      const known = mayHaveBeenReceived ? await arrived(upload, target, signal) : null
      if (known !== null) return { documentId: known }
      const { value } = await call(upload, target, signal)
      const [accepted] = value.accepted
      if (accepted) return { documentId: accepted.documentId === '' ? null : accepted.documentId }
      const reason = value.refused[0]?.reason ?? ''
      return {
        refused: {
          code: 'REFUSED',
          message: 'The provider rejected the upload',
          retriable: true,
          ...(reason !== '' && { service: { message: reason } }),
          at: clock(),
        },
      }
    },
  }
}
