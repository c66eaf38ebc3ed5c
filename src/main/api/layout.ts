import { wireModel } from '../../shared/service/profiles.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { dataUriBody } from './data-uri-body.ts'
import type { FormFile } from './file-chunks.ts'
import { jsonBody } from './http.ts'
import { callJson, type JsonExchange, type TextResult } from './json-call.ts'
import { checkLayout } from './layout-limits.ts'
import { readLayout } from './layout-response.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

/** One block as received, without interpreting its coordinates (service-notes 12). */
export interface LayoutBlock {
  readonly index: number
  /** `text`, `table`, `formula`, `image`, or any other received value. */
  readonly label: string
  /** A finer label some hosts add. */
  readonly nativeLabel: string | null
  /** Four numbers as sent, with nested forms flattened; null when the block has no box. */
  readonly bbox: readonly [number, number, number, number] | null
  /** Text, HTML of a table, LaTeX of a formula, or URL of an image. */
  readonly content: string
  /** Width of the page raster the box belongs to, if reported. */
  readonly width: number | null
  readonly height: number | null
}

/** A parsed document (service-notes 12). */
export interface ParsedLayout {
  readonly id: string
  readonly model: string
  readonly markdown: string
  /** One list for each page. */
  readonly pages: readonly (readonly LayoutBlock[])[]
  readonly visualisations: readonly string[]
  readonly pageCount: number | null
  /** Sizes of the page rasters, if reported. */
  readonly pageSizes: readonly { readonly width: number; readonly height: number }[]
}

/** Document to parse. `pages` was counted locally; null when unknown. */
export type LayoutSource =
  | { readonly url: string }
  | {
      readonly file: FormFile
      /** Determined by the file's content, never by its name. */
      readonly mime: 'application/pdf' | 'image/png' | 'image/jpeg'
      readonly pages: number | null
    }

/** Document parsing (service-notes 12). */
export interface LayoutApi {
  /**
   * `POST /paas/v4/layout_parsing`. The file is sent as a data URI streamed from disk, never built as one string.
   */
  parse(
    target: ServiceTarget,
    request: {
      readonly source: LayoutSource
      /** PDF only, from 1. */
      readonly startPage?: number
      readonly endPage?: number
      readonly cropImages?: boolean
      readonly visualisation?: boolean
      readonly userId?: string
      /**
       * Maximum number of attempts, for callers that retry visibly themselves; the maximum of the retry rules when absent.
       */
      readonly sendings?: number
    },
    options: CallOptions,
  ): Promise<Answered<ParsedLayout>>
  /**
   * {@link parse}, with the response parsed by `read`: parsing a hundred pages would block the main thread for too long.
   */
  parseBy<T>(
    target: ServiceTarget,
    request: LayoutRequest,
    options: CallOptions,
    read: (text: string, model: string) => Promise<TextResult<T>>,
  ): Promise<Answered<T>>
}

/** Document to parse, with options. */
export type LayoutRequest = Parameters<LayoutApi['parse']>[1]

/** Creates the endpoints of this family from the shared call parts. */
export function createLayout(parts: CallParts): LayoutApi {
  return {
    parse: async (target, request, options) => {
      const operation = operationOf(parts, target, request)
      const read = (json: unknown) => readLayout(json, operation.model)
      return callJson(parts, target, { ...operation, read }, options)
    },
    parseBy: async (target, request, options, read) => {
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
