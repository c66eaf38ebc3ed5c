import type { Limits } from '../../shared/provider/limits.ts'
import { AppError } from '../errors.ts'
import type { CallParts } from './call.ts'
import { readDocument, readDocuments, readImages, readOutcome } from './document-replies.ts'
import { endpointsOf } from './json-call.ts'
import { checkPage, type PageRequest } from './knowledge-limits.ts'
import { pageOf } from './knowledge-replies.ts'
import { multipart, type FormField, type FormFile } from './multipart.ts'
import { pathPart, checkOneOf, requireSome, checkRange, illegal } from './request-limits.ts'
import type { ById } from './types.ts'

/**
 * Chunking method: 1 by headings, 2 questions and answers, 3 rows, 5 custom separators, 6 pages, 7 one chunk (service-notes
 * 7).
 */
type KnowledgeType = 1 | 2 | 3 | 5 | 6 | 7

/** Chunking rules. The type is always sent, since embedding failed without it. */
interface SlicingRules {
  readonly knowledgeType: KnowledgeType
  /** For type 5. */
  readonly separators?: readonly string[]
  /** Characters, 20 to 2000, for type 5. */
  readonly sentenceSize?: number
}

/** Files to add to a knowledge base, and how to chunk them. */
interface UploadRequest extends SlicingRules {
  readonly knowledgeId: string
  readonly files: readonly FormFile[]
  readonly parseImages?: boolean
  readonly wordLimit?: number
}

const root = '/llm-application/open/document'

/** Documents of a knowledge base (service-notes 7). */
export type DocumentsApi = ReturnType<typeof createDocuments>

export function createDocuments(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  const creating = { repeat: 'creating', timeouts: parts.longCall } as const

  return {
    /** `POST /llm-application/open/document/upload_document/{base}`, files streamed from disk. Not safe to repeat. */
    upload: endpoint('documents.upload', (request: UploadRequest, target) => {
      checkFiles(request.files)
      checkSlicing(request, target.limits)
      checkWordLimit(request.wordLimit)
      const boundary = `lectern-${parts.deps.ids()}`
      return {
        ...creating,
        path: `${root}/upload_document/${pathPart('knowledge_id', request.knowledgeId)}`,
        body: (requestId) => multipart(formOf(request, requestId), boundary),
        read: readOutcome,
      }
    }),
    /** `POST /llm-application/open/document/upload_url`. Not safe to repeat. */
    uploadUrls: endpoint(
      'documents.uploadUrls',
      (
        request: {
          readonly knowledgeId: string
          readonly urls: readonly ({ readonly url: string } & SlicingRules)[]
        },
        target,
      ) => {
        const { knowledgeId, urls } = request
        requireSome('knowledge_id', knowledgeId)
        checkUrls(urls)
        for (const rules of urls) checkSlicing(rules, target.limits)
        return {
          ...creating,
          path: `${root}/upload_url`,
          json: () => ({
            knowledge_id: knowledgeId,
            upload_detail: urls.map(({ url, ...rules }) => ({ url, ...rulesOf(rules) })),
          }),
          read: readOutcome,
        }
      },
    ),
    /** `GET /llm-application/open/document`; `word` filters by name. */
    list: endpoint(
      'documents.list',
      (request: PageRequest & { readonly knowledgeId: string; readonly word?: string }, target) => {
        const { knowledgeId, word, ...page } = request
        requireSome('knowledge_id', knowledgeId)
        checkPage(page, target.limits)
        return {
          path: root,
          query: {
            knowledge_id: knowledgeId,
            ...pageOf(page, target.profile.wire),
            ...(word !== undefined && word !== '' && { word }),
          },
          read: readDocuments,
        }
      },
    ),
    /** `GET /llm-application/open/document/{id}`. */
    get: endpoint('documents.get', ({ id }: ById) => ({
      path: `${root}/${pathPart('id', id)}`,
      read: (json) => readDocument(json, id),
    })),
    /** `DELETE /llm-application/open/document/{id}`. */
    delete: endpoint('documents.delete', ({ id }: ById) => ({
      method: 'DELETE',
      path: `${root}/${pathPart('id', id)}`,
      read: () => null,
    })),
    /**
     * `POST /llm-application/open/document/embedding/{id}`: only accepts the request; poll the document for the result. Each
     * request that arrives embeds again and is billed.
     */
    embed: endpoint('documents.embed', ({ id }: ById) => ({
      ...creating,
      path: `${root}/embedding/${pathPart('id', id)}`,
      json: () => ({}),
      read: () => null,
    })),
    /** `POST /llm-application/open/document/slice/image_list/{id}`. */
    images: endpoint('documents.images', ({ id }: ById) => ({
      path: `${root}/slice/image_list/${pathPart('id', id)}`,
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
