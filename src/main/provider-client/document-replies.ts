import { readErrorBody } from './errors.ts'

import { dataOf, rowOf, rowsOf } from './knowledge-replies.ts'
import {
  requireMaxRows,
  countIn,
  malformed,
  nameIn,
  numberIn,
  recordFrom,
  recordsFrom,
  textIn,
  textsFrom,
  type JsonRecord,
} from './lenient.ts'

const states: readonly KnowledgeDocument['state'][] = ['running', 'done', 'failed']

/** Reads one document (service-notes 7); `asked` is used when the response has no ID. */
export const readDocument = (json: unknown, requestedId: string): KnowledgeDocument =>
  documentOf(rowOf(json), requestedId)

export function readDocuments(json: unknown): {
  readonly documents: readonly KnowledgeDocument[]
  readonly total: number
} {
  const { rows, total } = rowsOf(json)
  return { documents: rows.map((row) => documentOf(row, '')), total }
}

/** Reads the outcome for each file or URL, in both spellings clients have received (service-notes 7). */
export function readOutcome(json: unknown): UploadOutcome {
  const data = recordFrom(dataOf(json))
  if (!data) throw malformed('no-outcome')
  return {
    accepted: recordsFrom(data['successInfos'] ?? data['successInfo']).map((row) => ({
      documentId: textIn(row, 'documentId') ?? textIn(row, 'document_id') ?? '',
      name: nameOf(row),
    })),
    refused: recordsFrom(data['failedInfos'] ?? data['failedInfo']).map((row) => ({
      name: nameOf(row),
      reason: textIn(row, 'failReason') ?? failureOf(row['failInfo'])?.message ?? '',
    })),
  }
}

/** Reads the images of a document's slices; those without a URL cannot be shown and are omitted. */
export function readImages(
  json: unknown,
): readonly { readonly text: string; readonly url: string }[] {
  const data = dataOf(json)
  const box = recordFrom(data)
  return imagesOf(box && 'images' in box ? box['images'] : data)
}

/** Maximum number of images in a list: each may be a row that is fetched separately. */
const maxImages = 1000

/** Returns images with their placeholders in the text (service-notes 11 and 7). */
export function imagesOf(
  value: unknown,
): readonly { readonly text: string; readonly url: string }[] {
  return requireMaxRows(recordsFrom(value), maxImages).flatMap((row) => {
    const url = textIn(row, 'cos_url') ?? textIn(row, 'url')
    return url === null ? [] : [{ text: textIn(row, 'text') ?? '', url }]
  })
}

const nameOf = (row: JsonRecord): string =>
  textIn(row, 'fileName') ?? textIn(row, 'url') ?? textIn(row, 'name') ?? ''

function documentOf(row: JsonRecord, requestedId: string): KnowledgeDocument {
  const stat = numberIn(row, 'embedding_stat')
  return {
    id: textIn(row, 'id') ?? requestedId,
    name: nameIn(row, 'name') ?? '',
    url: textIn(row, 'url'),
    knowledgeType: countIn(row, 'knowledge_type'),
    separators: textsFrom(row['custom_separator']),
    sentenceSize: countIn(row, 'sentence_size'),
    length: countIn(row, 'length'),
    wordNum: countIn(row, 'word_num'),
    state: (stat === null ? undefined : states[stat]) ?? 'unknown',
    failure: failureOf(row['failInfo']),
  }
}

/** Returns why embedding failed: an object, its JSON text, or plain text; null when nothing is reported. */
function failureOf(value: unknown): KnowledgeDocument['failure'] {
  const box = recordFrom(value)
  if (!box) {
    const words = typeof value === 'string' ? value.trim() : ''
    return words === '' ? null : { code: null, message: words }
  }
  const code = numberIn(box, 'embedding_code') ?? numberIn(box, 'code')
  const message = textIn(box, 'embedding_msg') ?? readErrorBody(box)?.message ?? ''
  return code === null && message === '' ? null : { code, message }
}

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

/** Outcome for each file or URL of one upload. */
interface UploadOutcome {
  readonly accepted: readonly { readonly documentId: string; readonly name: string }[]
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
}
