import type { Limits } from '../../shared/provider/limits.ts'
import { AppError } from '../errors.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { readDocument, readDocuments, readImages, readOutcome } from './document-replies.ts'
import { jsonCaller } from './json-call.ts'
import { checkPage } from './knowledge-limits.ts'
import { pageOf } from './knowledge-replies.ts'
import { multipart, type FormField, type FormFile } from './multipart.ts'
import { pathPart, checkOneOf } from './path-part.ts'
import { requireSome, checkRange, illegal } from './request-limits.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import type { UploadOutcome, KnowledgeDocument } from './document-replies.ts'

/**
 * Chunking method: 1 by headings, 2 questions and answers, 3 rows, 5 custom separators, 6 pages, 7 one chunk (service-notes
 * 7).
 */
export type KnowledgeType = 1 | 2 | 3 | 5 | 6 | 7

/** Chunking rules. The type is always sent, since embedding failed without it. */
export interface SlicingRules {
  readonly knowledgeType: KnowledgeType
  /** For type 5. */
  readonly separators?: readonly string[]
  /** Characters, 20 to 2000, for type 5. */
  readonly sentenceSize?: number
}

/** Documents of a knowledge base (service-notes 7). */
export interface DocumentsApi {
  /** `POST /llm-application/open/document/upload_document/{base}`, files streamed from disk. Not safe to repeat. */
  upload(
    target: ServiceTarget,
    request: {
      readonly knowledgeId: string
      readonly files: readonly FormFile[]
      readonly parseImages?: boolean
      readonly wordLimit?: number
    } & SlicingRules,
    options: CallOptions,
  ): Promise<Answered<UploadOutcome>>
  /** `POST /llm-application/open/document/upload_url`. Not safe to repeat. */
  uploadUrls(
    target: ServiceTarget,
    request: {
      readonly knowledgeId: string
      readonly urls: readonly ({ readonly url: string } & SlicingRules)[]
    },
    options: CallOptions,
  ): Promise<Answered<UploadOutcome>>
  /** `GET /llm-application/open/document`; `word` filters by name. */
  list(
    target: ServiceTarget,
    request: {
      readonly knowledgeId: string
      readonly page?: number
      readonly size?: number
      readonly word?: string
    },
    options: CallOptions,
  ): Promise<Answered<{ readonly documents: readonly KnowledgeDocument[]; readonly total: number }>>
  /** `GET /llm-application/open/document/{id}`. */
  get(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<KnowledgeDocument>>
  /** `DELETE /llm-application/open/document/{id}`. */
  delete(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<null>>
  /**
   * `POST /llm-application/open/document/embedding/{id}`: only accepts the request; poll the document for the result.
   */
  embed(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<null>>
  /** `POST /llm-application/open/document/slice/image_list/{id}`. */
  images(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<readonly { readonly text: string; readonly url: string }[]>>
}

const root = '/llm-application/open/document'

type UploadRequest = Parameters<DocumentsApi['upload']>[1]

/** Creates the endpoints of this family from the shared call parts. */
export function createDocuments(parts: CallParts): DocumentsApi {
  const { shortCall, longCall } = parts
  const safe = { model: null, repeat: 'safe', timeouts: shortCall } as const
  const creating = { model: null, repeat: 'creating', timeouts: longCall } as const
  const part = (id: string): string => pathPart('id', id)
  const call = jsonCaller(parts)

  return {
    upload: (target, request, options) =>
      call(target, options, () => {
        checkFiles(request.files)
        checkSlicing(request, target.limits)
        checkWordLimit(request.wordLimit)
        const boundary = `lectern-${parts.deps.ids()}`
        return {
          ...creating,
          operation: 'documents.upload',
          method: 'POST',
          path: `${root}/upload_document/${pathPart('knowledge_id', request.knowledgeId)}`,
          body: (requestId) => multipart(formOf(request, requestId), boundary),
          read: readOutcome,
        }
      }),
    uploadUrls: (target, { knowledgeId, urls }, options) =>
      call(target, options, () => {
        requireSome('knowledge_id', knowledgeId)
        checkUrls(urls)
        for (const rules of urls) checkSlicing(rules, target.limits)
        return {
          ...creating,
          operation: 'documents.uploadUrls',
          method: 'POST',
          path: `${root}/upload_url`,
          json: () => ({
            knowledge_id: knowledgeId,
            upload_detail: urls.map(({ url, ...rules }) => ({ url, ...rulesOf(rules) })),
          }),
          read: readOutcome,
        }
      }),
    list: (target, { knowledgeId, word, ...page }, options) =>
      call(target, options, () => {
        requireSome('knowledge_id', knowledgeId)
        checkPage(page, target.limits)
        return {
          ...safe,
          operation: 'documents.list',
          method: 'GET',
          path: root,
          query: {
            knowledge_id: knowledgeId,
            ...pageOf(page, target.profile.wire),
            ...(word !== undefined && word !== '' && { word }),
          },
          read: readDocuments,
        }
      }),
    get: (target, { id }, options) =>
      call(target, options, () => ({
        ...safe,
        operation: 'documents.get',
        method: 'GET',
        path: `${root}/${part(id)}`,
        read: (json) => readDocument(json, id),
      })),
    delete: (target, { id }, options) =>
      call(target, options, () => ({
        ...safe,
        operation: 'documents.delete',
        method: 'DELETE',
        path: `${root}/${part(id)}`,
        read: () => null,
      })),
    // Each request that arrives embeds again and is billed.
    embed: (target, { id }, options) =>
      call(target, options, () => ({
        ...creating,
        operation: 'documents.embed',
        method: 'POST',
        path: `${root}/embedding/${part(id)}`,
        json: () => ({}),
        read: () => null,
      })),
    images: (target, { id }, options) =>
      call(target, options, () => ({
        ...safe,
        operation: 'documents.images',
        method: 'POST',
        path: `${root}/slice/image_list/${part(id)}`,
        json: () => ({}),
        read: readImages,
      })),
  }
}

/** Returns the rules as JSON; `knowledge_type` is always included. */
function rulesOf({ knowledgeType, separators, sentenceSize }: SlicingRules): object {
  return {
    knowledge_type: knowledgeType,
    ...(separators !== undefined && { custom_separator: separators }),
    ...(sentenceSize !== undefined && { sentence_size: sentenceSize }),
  }
}

/** Returns the form, with fields before the files so that a provider can reject early. */
function formOf(request: UploadRequest, requestId: string): readonly FormField[] {
  const { knowledgeType, separators, sentenceSize, parseImages, wordLimit } = request
  return [
    { name: 'knowledge_type', value: String(knowledgeType) },
    ...(separators ?? []).map((value) => ({ name: 'custom_separator', value })),
    ...(sentenceSize === undefined ? [] : [{ name: 'sentence_size', value: String(sentenceSize) }]),
    ...(parseImages === undefined ? [] : [{ name: 'parse_image', value: String(parseImages) }]),
    ...(wordLimit === undefined ? [] : [{ name: 'word_num_limit', value: String(wordLimit) }]),
    { name: 'req_id', value: requestId },
    ...request.files.map((file) => ({ name: 'files', file })),
  ]
}

const knowledgeTypes = [1, 2, 3, 5, 6, 7]

/** Rejects chunking rules the provider would reject (service-notes 7). */
function checkSlicing(rules: SlicingRules, limits: Limits): void {
  const { minChars: min, maxChars: max } = limits.slicing
  checkOneOf('knowledge_type', rules.knowledgeType, knowledgeTypes)
  if (rules.sentenceSize !== undefined)
    checkRange('sentence_size', rules.sentenceSize, { min, max, whole: true })
  for (const separator of rules.separators ?? []) requireSome('custom_separator', separator)
}

/** Rejects an empty upload: no files, or one without content (EMPTY_FILE). */
function checkFiles(files: readonly FormFile[]): void {
  requireSome('files', files)
  for (const { bytes, name } of files)
    if (bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty.', { params: { name } })
}

/** Rejects a word limit that is not a whole number. */
function checkWordLimit(limit: number | undefined): void {
  if (limit === undefined) return
  checkRange('word_num_limit', limit, { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true })
}

/** Rejects a URL upload without URLs or with invalid ones. */
function checkUrls(urls: readonly { readonly url: string }[]): void {
  requireSome('upload_detail', urls)
  for (const { url } of urls)
    if (!/^https?:\/\/[^\s/]/i.test(url)) throw illegal('url', url.toWellFormed().slice(0, 200))
}
