import { wireModel } from '../../shared/provider/profiles.ts'
import { AppError } from '../errors.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import type { CallParts } from './call.ts'
import { type FormFile, base64Length, base64Chunks } from './file-chunks.ts'
import { jsonBody, type OutgoingBody } from './http.ts'
import { callJson, type JsonExchange, type TextResult } from './json-call.ts'
import { readLayout, type ParsedLayout } from './layout-response.ts'
import { checkRange, checkUserId, illegal, over } from './request-limits.ts'

/** Document to parse. `pages` was counted locally; null when unknown. */
export type LayoutSource =
  | { readonly url: string }
  | {
      readonly file: FormFile
      /** Determined by the file's content, never by its name. */
      readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
      readonly pages: number | null
    }

/** Document to parse, with options. */
interface LayoutRequest {
  readonly source: LayoutSource
  /** PDF only, from 1. */
  readonly startPage?: number
  readonly endPage?: number
  readonly cropImages?: boolean
  readonly visualisation?: boolean
  readonly userId?: string
  /** Maximum number of attempts, for callers that retry visibly themselves; the maximum of the retry rules when absent. */
  readonly sendings?: number
}

/** Document parsing (service-notes 12). */
export type LayoutApi = ReturnType<typeof createLayout>

export function createLayout(parts: CallParts) {
  return {
    /** `POST /paas/v4/layout_parsing`. The file is sent as a data URI streamed from disk, never built as one string. */
    async parse(
      target: ServiceTarget,
      request: LayoutRequest,
      options: CallOptions,
    ): Promise<Answered<ParsedLayout>> {
      const operation = operationOf(parts, target, request)
      const read = (json: unknown) => readLayout(json, operation.model)
      return callJson(parts, target, { ...operation, read }, options)
    },
    /** The same, with the response parsed by `read`: parsing a hundred pages would block the main thread for too long. */
    async parseBy<T>(
      target: ServiceTarget,
      request: LayoutRequest,
      options: CallOptions,
      read: (text: string, model: string) => Promise<TextResult<T>>,
    ): Promise<Answered<T>> {
      const operation = operationOf(parts, target, request)
      const readText = (text: string) => read(text, operation.model)
      return callJson(parts, target, { ...operation, readText }, options)
    },
  }
}

/** Builds the call except the reading of its response. Throws for requests the provider would reject. */
function operationOf(
  parts: CallParts,
  target: ServiceTarget,
  request: LayoutRequest,
): JsonExchange & { readonly model: string } {
  checkLayout(request, target)
  const { source } = request
  const model = wireModel(target.profile, 'gen-ocr')
  return {
    operation: 'layout.parse',
    model,
    // Nothing is created. A page parsed twice costs twice, which the provider's own clients accept rather than fail.
    repeat: 'safe',
    ...(request.sendings !== undefined && { retryBounds: { attempts: request.sendings } }),
    method: 'POST',
    path: '/paas/v4/layout_parsing',
    body(requestId) {
      const rest = fieldsOf(request, requestId)
      if ('url' in source) return jsonBody({ model, file: source.url, ...rest })
      return dataUriBody({ model }, 'file', { ...source.file, mime: source.mime }, rest)
    },
    timeouts: parts.longCall,
  }
}

/** Returns the fields after the file, only those with a value. */
function fieldsOf(request: LayoutRequest, requestId: string): Readonly<Record<string, unknown>> {
  const { startPage, endPage, cropImages, visualisation, userId } = request
  return {
    ...(cropImages !== undefined && { return_crop_images: cropImages }),
    ...(visualisation !== undefined && { need_layout_visualization: visualisation }),
    ...(startPage !== undefined && { start_page_id: startPage }),
    ...(endPage !== undefined && { end_page_id: endPage }),
    request_id: requestId,
    ...(userId !== undefined && { user_id: userId }),
  }
}

/**
 * Returns a JSON body whose field `name` is a file as a data URI, with fields before and after it. The file is read and
 * encoded while it is sent, so that it is never in memory as a whole, and the length is known in advance. There must be at
 * least one field on each side. Throws FILE_MISSING and DAMAGED_FILE while sending.
 */
function dataUriBody(
  before: Readonly<Record<string, unknown>>,
  name: string,
  file: FormFile,
  after: Readonly<Record<string, unknown>>,
): OutgoingBody {
  const uri = `data:${file.mime};base64,`
  // The closing brace of the first object and the opening brace of the second are replaced by the field between them.
  const opening = `${JSON.stringify(before).slice(0, -1)},${JSON.stringify(name)}:`
  const head = Buffer.from(`${opening}${JSON.stringify(uri).slice(0, -1)}`, 'utf8')
  const tail = Buffer.from(`",${JSON.stringify(after).slice(1)}`, 'utf8')
  return {
    contentType: 'application/json',
    bytes: head.length + base64Length(file.bytes) + tail.length,
    open: async function* () {
      yield head
      yield* base64Chunks(file)
      yield tail
    },
  }
}

/**
 * Rejects violations of the limits in service-notes 12 and 16: bytes by type (FILE_TOO_LARGE), pages of a PDF, an empty file,
 * a page range for an image or beyond the document, a URL that is not http or https.
 */
function checkLayout(request: LayoutRequest, target: ServiceTarget): void {
  const { source } = request
  checkUserId(request.userId, target)
  if ('url' in source) {
    checkAddress(source.url)
    checkPages(request, null)
    return
  }
  const { file, mime, pages } = source
  const limits = target.limits.layout
  const isPdf = mime === 'application/pdf'
  const { name, bytes } = file
  if (bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty.', { params: { name } })
  const maxBytes = isPdf ? limits.pdfBytes : limits.imageBytes
  if (bytes > maxBytes) throw over('FILE_TOO_LARGE', 'file', maxBytes, bytes, { name })
  if (isPdf && pages !== null && pages > limits.pages)
    throw over('LIMIT_EXCEEDED', 'pages', limits.pages, pages, { name })
  if (!isPdf && request.startPage !== undefined) throw illegal('start_page_id', request.startPage)
  if (!isPdf && request.endPage !== undefined) throw illegal('end_page_id', request.endPage)
  checkPages(request, isPdf ? pages : null)
}

/** `pages` is the page count of the document, if known. */
function checkPages({ startPage, endPage }: LayoutRequest, pages: number | null): void {
  const max = pages ?? Infinity
  if (startPage !== undefined) checkRange('start_page_id', startPage, { min: 1, max, whole: true })
  if (endPage !== undefined)
    checkRange('end_page_id', endPage, { min: startPage ?? 1, max, whole: true })
}

/** Reports only the scheme: a URL may contain a secret. */
function checkAddress(url: string): void {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return
  throw illegal('file', /^[a-z][a-z0-9+.-]{0,30}:/i.exec(url)?.[0] ?? 'url')
}
