import type { ExportDocument } from './document.ts'
import { bookmarksOf, doneSummaries, factLine, turnsOf } from './text.ts'
import { clockTime } from './times.ts'

/** Interval of headings, in milliseconds; each precedes the first turn of its interval. */
const headingMs = 10 * 60_000

/**
 * Writes Markdown with a YAML front matter (title, date, duration, participants, hotwords) and a heading every 10 minutes.
 */
export function writeMarkdown(document: ExportDocument): string {
  const { source, words, options, participants } = document
  const { meeting } = source
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
    let section = ''
    for (const point of summary.points) {
      if (point.section !== section) parts.push(`### ${inline(point.section)}`, '')
      section = point.section
      parts.push(`- ${inline(point.text)}`)
    }
    parts.push('')
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
