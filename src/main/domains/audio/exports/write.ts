import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { MeetingSummaryText } from '../../../../shared/model/meeting.ts'
import {
  exportDocument,
  type ExportOptions,
  type ExportSource,
  type ExportDocument,
} from './document.ts'
import { writeJson } from './json.ts'
import {
  writeText,
  bookmarksOf,
  doneSummaries,
  factLine,
  summarySections,
  titleOf,
  turnsOf,
  type Turn,
} from './text.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'
import { cuesOf, type Cue } from './captions.ts'
import { cueTime, clockTime } from './times.ts'
import { writeHtml } from './html.ts'
import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'

/** Formats of text exports; a PDF is a printed page. */
export type TextFormat = Exclude<ParsedOf<'meetings.export'>['format'], 'pdf'>

/** Request to the export worker. */
export interface ExportRequest {
  readonly format: TextFormat
  readonly source: ExportSource
  readonly options: ExportOptions
  readonly language: ExportLanguage
  /** Only this summary. */
  readonly summaryId?: string | undefined
}

/** Writes a meeting, or one of its summaries, in one of the formats; returns the bytes of the file, in UTF-8 if it is text. */
export async function writeExport(request: ExportRequest): Promise<Uint8Array> {
  const { format, source, options, language } = request
  if (format === 'json') return new TextEncoder().encode(writeJson(source))
  const document = exportDocument(source, options, language, request.summaryId)
  if (format === 'docx') return writeDocx(document)
  const writers = {
    txt: writeText,
    md: writeMarkdown,
    html: writeHtml,
    srt: writeSrt,
    vtt: writeVtt,
  } as const
  return new TextEncoder().encode(writers[format](document))
}

/** Writes SubRip: numbered from 1, comma before milliseconds, CRLF, a byte order mark if requested. */
function writeSrt(document: ExportDocument): string {
  const { speakers, bom } = document.options
  const several = document.participants.length > 1
  const blocks = cuesOf(document).map((cue, index) =>
    [
      String(index + 1),
      `${cueTime(cue.startMs, ',')} --> ${cueTime(cue.endMs, ',')}`,
      ...named(cue, speakers && several),
      '',
    ].join('\r\n'),
  )
  return (bom ? '\ufeff' : '') + blocks.join('\r\n')
}

/** Writes WebVTT: voice tags for speakers, `&<>` escaped. */
function writeVtt(document: ExportDocument): string {
  const { speakers } = document.options
  const blocks = cuesOf(document).map((cue) => {
    const text = cue.rows.map(escaped).join('\n')
    const voice = speakers ? `<v ${escaped(oneRow(cue.speaker))}>${text}</v>` : text
    return `${cueTime(cue.startMs, '.')} --> ${cueTime(cue.endMs, '.')}\n${voice}\n`
  })
  return `WEBVTT\n\n${blocks.join('\n')}`
}

/** Puts the speaker before the first row: SRT has no other place for it. */
function named({ rows, speaker }: Cue, wanted: boolean): readonly string[] {
  const [first = '', ...more] = rows
  const captionRows = wanted ? [`${oneRow(speaker)}: ${first}`, ...more] : [first, ...more]
  return captionRows.map((row) => row.replaceAll('-->', '→'))
}

/** Returns a name on one row: an empty row in it would begin another cue. */
const oneRow = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Interval of headings, in milliseconds; each precedes the first turn of its interval. */
const headingMs = 10 * 60_000

/**
 * Writes Markdown with a YAML front matter (title, date, duration, participants, hotwords) and a heading every 10 minutes.
 */
function writeMarkdown(document: ExportDocument): string {
  const { source, words, options, participants, summary: only } = document
  const { meeting } = source
  if (only)
    return `${[`# ${inline(titleOf(document))}`, '', ...summaryRows(document, only, '##')].join('\n').trimEnd()}\n`
  const parts = [
    '---',
    `title: ${quoted(meeting.title)}`,
    `date: ${new Date(meeting.startedAt).toISOString()}`,
    `duration: ${quoted(clockTime(meeting.durationMs))}`,
    ...listed('participants', participants),
    ...listed('hotwords', meeting.hotwords),
    '---',
    '',
    `# ${inline(meeting.title)}`,
    '',
    inline(factLine(document)),
    '',
  ]
  for (const summary of doneSummaries(meeting)) {
    parts.push(`## ${words.summary}: ${inline(summary.templateName)}`, '')
    parts.push(...summaryRows(document, summary, '###'))
  }
  const bookmarks = bookmarksOf(document)
  if (bookmarks.length > 0) {
    parts.push(`## ${words.bookmarks}`, '')
    for (const { atMs, label } of bookmarks) parts.push(`- ${clockTime(atMs)} ${inline(label)}`)
    parts.push('')
  }
  if (meeting.notes.trim() !== '') parts.push(`## ${words.notes}`, '', meeting.notes.trim(), '')
  const turns = turnsOf(document)
  if (turns.length > 0) parts.push(`## ${words.transcript}`, '')
  let lastHeading = -1
  const long = meeting.durationMs > headingMs
  for (const turn of turns) {
    const now = Math.floor(turn.startMs / headingMs)
    if (long && options.timestamps && now !== lastHeading)
      parts.push(`### ${clockTime(now * headingMs)}`, '')
    lastHeading = now
    if (turn.hole) {
      const { startMs, endMs } = turn.hole.span
      parts.push(`*${clockTime(startMs)} - ${clockTime(endMs)}: ${words[turn.hole.what]}*`, '')
      continue
    }
    const time = options.timestamps ? `\`${clockTime(turn.startMs)}\` ` : ''
    const who = options.speakers ? `**${inline(turn.speaker ?? '')}**: ` : ''
    parts.push(`${time}${who}${inline(turn.text)}`, '')
  }
  return `${parts.join('\n').trimEnd()}\n`
}

/** Returns the rows of a summary with headings of a level, and an empty row after each list. */
const summaryRows = (
  document: ExportDocument,
  summary: MeetingSummaryText,
  level: '##' | '###',
): readonly string[] =>
  summarySections(document, summary).flatMap(({ title, points }) => [
    ...(title === '' ? [] : [`${level} ${inline(title)}`, '']),
    ...points.map((point) => `- ${inline(point)}`),
    '',
  ])

/** Returns a list of the front matter; nothing for an empty one. */
const listed = (name: string, texts: readonly string[]): readonly string[] =>
  texts.length === 0 ? [] : [`${name}: [${texts.map(quoted).join(', ')}]`]

/** Returns a YAML string in double quotes: JSON strings are valid YAML. */
const quoted = (text: string): string => JSON.stringify(text)

/** Escapes text so that nothing in it becomes markup. */
function inline(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~#]/g, String.raw`\$&`)
    .replace(/^(\s*)(\d+)([.)])/gm, String.raw`$1$2\$3`)
    .replace(/^(\s*)([-+=])/gm, String.raw`$1\$2`)
}

/**
 * Writes a Word document: title, facts, summaries, bookmarks, notes and the transcript with a paragraph per line. Fonts cover Chinese.
 */
async function writeDocx(document: ExportDocument): Promise<Uint8Array> {
  const { source, words } = document
  const { meeting } = source
  const heading = (text: string, level: 'HEADING_1' | 'HEADING_2'): Paragraph =>
    new Paragraph({ text: clean(text), heading: HeadingLevel[level] })
  const turns = turnsOf(document)
  const sectionsOf = (
    summary: MeetingSummaryText,
    level: 'HEADING_1' | 'HEADING_2',
  ): readonly Paragraph[] =>
    summarySections(document, summary).flatMap(({ title, points }) => [
      ...(title === '' ? [] : [heading(title, level)]),
      ...points.map((point) => new Paragraph({ text: clean(point), bullet: { level: 0 } })),
    ])
  const summaries = doneSummaries(meeting).flatMap((summary) => [
    heading(`${words.summary}: ${summary.templateName}`, 'HEADING_1'),
    ...sectionsOf(summary, 'HEADING_2'),
  ])
  const bookmarks = bookmarksOf(document).map(
    ({ atMs, label }) =>
      new Paragraph({ text: clean(`${clockTime(atMs)} ${label}`), bullet: { level: 0 } }),
  )
  const notes =
    meeting.notes.trim() === ''
      ? []
      : [
          heading(words.notes, 'HEADING_1'),
          ...meeting.notes.split('\n').map((text) => new Paragraph({ text: clean(text) })),
        ]
  const file = new Document({
    title: clean(titleOf(document)),
    creator: 'Lectern',
    styles: {
      default: {
        document: {
          run: {
            font: { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: 'Microsoft YaHei' },
            size: 22,
          },
        },
      },
    },
    sections: [
      {
        children: [
          new Paragraph({ text: clean(titleOf(document)), heading: HeadingLevel.TITLE }),
          ...(document.summary
            ? sectionsOf(document.summary, 'HEADING_1')
            : [
                new Paragraph({
                  children: [new TextRun({ text: factLine(document), color: '666666' })],
                }),
                ...summaries,
                ...(bookmarks.length > 0 ? [heading(words.bookmarks, 'HEADING_1')] : []),
                ...bookmarks,
                ...notes,
                ...(turns.length > 0 ? [heading(words.transcript, 'HEADING_1')] : []),
                ...turns.map((turn) => paragraph(document, turn)),
              ]),
        ],
      },
    ],
  })
  return Packer.toBuffer(file)
}

function paragraph({ options, words }: ExportDocument, turn: Turn): Paragraph {
  const spacing = { after: 120 }
  if (turn.hole) {
    const { startMs, endMs } = turn.hole.span
    const text = `${clockTime(startMs)} - ${clockTime(endMs)}: ${words[turn.hole.what]}`
    return new Paragraph({
      spacing,
      children: [new TextRun({ text, italics: true, color: '888888' })],
    })
  }
  const time = new TextRun({ text: `${clockTime(turn.startMs)}  `, color: '888888' })
  const who = new TextRun({ text: clean(`${turn.speaker}: `), bold: true })
  return new Paragraph({
    spacing,
    children: [
      ...(options.timestamps ? [time] : []),
      ...(options.speakers ? [who] : []),
      new TextRun({ text: clean(turn.text) }),
    ],
  })
}

/** Removes the control characters that XML 1.0 does not allow. */
function clean(text: string): string {
  // The pattern lists control characters because they are removed.
  return Array.from(text)
    .filter((character) => {
      const code = character.codePointAt(0) ?? 0
      return code >= 0x20 ? code < 0xd800 || code > 0xdfff : code === 0x09 || code === 0x0a
    })
    .join('')
    .replace(/[\ufffe\uffff]/g, '')
}
