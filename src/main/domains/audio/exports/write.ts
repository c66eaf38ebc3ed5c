import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import { exportDocument, type ExportOptions, type ExportSource } from './document.ts'
import { writeDocx } from './docx.ts'
import { writeJson } from './json.ts'
import { writeMarkdown } from './markdown.ts'
import { writeSrt, writeVtt } from './srt.ts'
import { writeText } from './text.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'

/** Formats of text exports. */
export type TextFormat = ParsedOf<'meetings.export'>['format']

/** Request to the export worker. */
export interface ExportRequest {
  readonly format: TextFormat
  readonly source: ExportSource
  readonly options: ExportOptions
  readonly language: ExportLanguage
}

/** Writes a meeting in one of the formats; returns the bytes of the file, in UTF-8 if it is text. */
export async function writeExport(request: ExportRequest): Promise<Uint8Array> {
  const { format, source, options, language } = request
  if (format === 'json') return new TextEncoder().encode(writeJson(source))
  const document = exportDocument(source, options, language)
  if (format === 'docx') return writeDocx(document)
  const writers = { txt: writeText, md: writeMarkdown, srt: writeSrt, vtt: writeVtt } as const
  return new TextEncoder().encode(writers[format](document))
}
