import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { FormFile } from './multipart.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** How a document is cut: 1 by headings, 2 questions and answers, 3 rows, 5 own separators, 6 pages, 7 one piece (service-notes 7). */
export type KnowledgeType = 1 | 2 | 3 | 5 | 6 | 7

/** Rules of cutting; the type is always sent, since leaving it out made embedding fail. */
export interface SlicingRules {
  readonly knowledgeType: KnowledgeType
  /** For type 5. */
  readonly separators?: readonly string[]
  /** Characters, 20 to 2000, for type 5. */
  readonly sentenceSize?: number
}

/** A document of a knowledge base. */
export interface KnowledgeDocument {
  readonly id: string
  readonly name: string
  readonly url: string | null
  readonly knowledgeType: number | null
  readonly separators: readonly string[]
  readonly sentenceSize: number | null
  readonly length: number | null
  readonly wordNum: number | null
  readonly state: 'running' | 'done' | 'failed' | 'unknown'
  readonly failure: { readonly code: number | null; readonly message: string } | null
}

/** What became of each file or address of one upload. */
export interface UploadOutcome {
  readonly accepted: readonly { readonly documentId: string; readonly name: string }[]
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
}

/** Documents of a knowledge base (service-notes 7). */
export interface DocumentsApi {
  /** `POST /llm-application/open/document/upload_document/{base}`, files streamed from disk. Creates. */
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
  /** `POST /llm-application/open/document/upload_url`. Creates. */
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
  /** `POST /llm-application/open/document/embedding/{id}`: accepted only, the document is to be polled. */
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

/** Builds the family over the parts every call is made of. */
export function createDocuments(parts: CallParts): DocumentsApi {
  return notBuilt(parts)
}
