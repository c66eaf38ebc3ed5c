import type { IncomingMessage } from 'node:http'
import { limits } from '../../shared/provider/limits.ts'
import type { PageKind } from '../engines/pages/messages.ts'
import { ServiceError } from '../errors.ts'
import { fieldIllegal, fieldMissing, jsonValue, type JsonObject } from '../json-body.ts'
import { booleanOf, integerOf, requestIdOf, requiredText, userIdOf } from '../json-fields.ts'
import type { FileValue } from './data-uri.ts'
import { readFileJson } from './file-json.ts'

/** Document parsing request that satisfies all rules of service-notes 12 and 16 except the page rules. */
export interface LayoutRequest {
  /** As spelled by the client. */
  readonly model: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly kind: PageKind
  readonly crops: boolean
  readonly visualise: boolean
  readonly from: number | undefined
  readonly to: number | undefined
  readonly requestId: string | undefined
}

const { imageBytes, pdfBytes } = limits.layout

/** Model IDs of service-notes 12 after any brand prefix: providers of this API spell `gen-` differently. */
const modelForm = /^[a-z][a-z0-9]*-ocr$/

const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`

const startsWith = (bytes: Uint8Array, signs: readonly number[]): boolean =>
  signs.every((sign, i) => bytes[i] === sign)

/**
 * Detects the type from the bytes, ignoring the MIME type of the data URI; undefined if it is none of the three.
 */
function pageKindOf(bytes: Uint8Array): PageKind | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'jpeg'
  // PDF readers accept a header anywhere in the first kilobyte.
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.length))
  return head.includes('%PDF-') ? 'pdf' : undefined
}

function bytesOf(body: JsonObject, file: FileValue | undefined): Uint8Array<ArrayBuffer> {
  if (jsonValue(body, 'file') === undefined) throw fieldMissing('file')
  if (!file) throw fieldIllegal('file', 'be a string')
  if (file.kind === 'url') throw fieldIllegal('file', 'be a data URI: URLs aren’t loaded on-device')
  if (file.kind === 'bare') throw fieldIllegal('file', 'be a data URI: data:<mime>;base64,...')
  if (file.kind === 'damaged') throw fieldIllegal('file', 'be a data URI with valid Base64')
  if (file.kind === 'too-large') throw fieldIllegal('file', `be at most ${megabytes(pdfBytes)}`)
  if (file.bytes.length === 0) throw fieldIllegal('file', 'not be empty')
  return file.bytes
}

function kindOf(bytes: Uint8Array): PageKind {
  const kind = pageKindOf(bytes)
  if (!kind) throw fieldIllegal('file', 'be a PDF, JPG, or PNG')
  if (kind !== 'pdf' && bytes.length > imageBytes)
    throw fieldIllegal('file', `be at most ${megabytes(imageBytes)} when it is an image`)
  return kind
}

/** Reads and validates the body of service-notes 12. Throws a ServiceError for the first violated rule. */
export async function readLayoutRequest(incoming: IncomingMessage): Promise<LayoutRequest> {
  const { body, file } = await readFileJson(incoming, 'file', pdfBytes)
  const model = requiredText(body, 'model')
  if (!modelForm.test(model)) throw new ServiceError('unknownModel', 'Unknown model')
  const crops = booleanOf(body, 'return_crop_images', false)
  const visualise = booleanOf(body, 'need_layout_visualization', false)
  const from = integerOf(body, 'start_page_id', { min: 1 })
  const to = integerOf(body, 'end_page_id', { min: 1 })
  const requestId = requestIdOf(body)
  userIdOf(body)
  if (from !== undefined && to !== undefined && to < from)
    throw fieldIllegal('end_page_id', 'be at least start_page_id')
  const bytes = bytesOf(body, file)
  const kind = kindOf(bytes)
  if (kind !== 'pdf' && (from !== undefined || to !== undefined))
    throw fieldIllegal(
      from === undefined ? 'end_page_id' : 'start_page_id',
      'be left out: only a PDF has pages',
    )
  return { model, bytes, kind, crops, visualise, from, to, requestId }
}
