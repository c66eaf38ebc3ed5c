import { cleanText, escapeHtml } from '../../../platform/export-files/clean.ts'
import { beginPage, pageEnd } from '../../../platform/export-files/html-page.ts'
import type { MeetingSummaryText } from '../../../../shared/model/meeting.ts'
import type { ExportDocument } from './document.ts'
import {
  bookmarksOf,
  doneSummaries,
  factLine,
  summarySections,
  titleOf,
  turnsOf,
  type Turn,
} from './text.ts'
import { clockTime } from './times.ts'

/** Style of an exported meeting for screen and paper, in both color schemes. */
const style = `
:root{color-scheme:light dark}
body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
header p,time,.gap{color:color-mix(in srgb,currentColor 70%,transparent)}
h1,h2,h3{line-height:1.3;break-after:avoid}
time{font-variant-numeric:tabular-nums;font-size:.875rem;margin-right:.375rem}
.notes{white-space:pre-wrap}
.gap{font-style:italic}
p{orphans:3;widows:3}
@media print{body{margin:0;max-width:none}li{break-inside:avoid}}
`

const safe = (text: string): string => escapeHtml(cleanText(text))

/**
 * Writes one page that needs no network and runs nothing: facts, summaries, bookmarks, notes and the transcript with a
 * paragraph per line, or only one summary.
 */
export function writeHtml(document: ExportDocument): string {
  const { language, summary } = document
  const title = titleOf(document)
  const body = summary ? summaryMarkup(document, summary, 'h2') : meetingMarkup(document)
  const facts = summary ? [] : [`<p>${safe(factLine(document))}</p>`]
  return [
    `${beginPage({ title, language, style })}<header>`,
    `<h1>${safe(title)}</h1>`,
    ...facts,
    '</header>',
    '<main>',
    ...body,
    '</main>',
    pageEnd,
  ].join('\n')
}

function meetingMarkup(document: ExportDocument): readonly string[] {
  const { source, words } = document
  const { meeting } = source
  const bookmarks = bookmarksOf(document)
  const notes = meeting.notes.trim()
  const turns = turnsOf(document)
  return [
    ...doneSummaries(meeting).flatMap((summary) => [
      `<h2>${safe(`${words.summary}: ${summary.templateName}`)}</h2>`,
      ...summaryMarkup(document, summary, 'h3'),
    ]),
    ...(bookmarks.length === 0
      ? []
      : [
          `<h2>${safe(words.bookmarks)}</h2>`,
          listOf(bookmarks.map(({ atMs, label }) => `${timeOf(atMs)}${safe(label)}`)),
        ]),
    ...(notes === ''
      ? []
      : [`<h2>${safe(words.notes)}</h2>`, `<p class="notes">${safe(notes)}</p>`]),
    ...(turns.length === 0 ? [] : [`<h2>${safe(words.transcript)}</h2>`]),
    ...turns.map((turn) => turnMarkup(document, turn)),
  ]
}

const summaryMarkup = (
  document: ExportDocument,
  summary: MeetingSummaryText,
  level: 'h2' | 'h3',
): readonly string[] =>
  summarySections(document, summary).flatMap(({ title, points }) => [
    ...(title === '' ? [] : [`<${level}>${safe(title)}</${level}>`]),
    listOf(points.map(safe)),
  ])

const listOf = (items: readonly string[]): string =>
  `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`

const timeOf = (ms: number): string => `<time>${clockTime(ms)}</time>`

function turnMarkup({ options, words }: ExportDocument, turn: Turn): string {
  if (turn.hole) {
    const { startMs, endMs } = turn.hole.span
    return `<p class="gap">${clockTime(startMs)} - ${clockTime(endMs)}: ${safe(words[turn.hole.what])}</p>`
  }
  const time = options.timestamps ? timeOf(turn.startMs) : ''
  const who = options.speakers ? `<b>${safe(turn.speaker ?? '')}:</b> ` : ''
  return `<p>${time}${who}${safe(turn.text)}</p>`
}
