import { cuesOf, type Cue } from './captions.ts'
import type { ExportDocument } from './document.ts'
import { cueTime } from './times.ts'

/** Writes SubRip: numbered from 1, comma before milliseconds, CRLF, a byte order mark if requested. */
export function writeSrt(document: ExportDocument): string {
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
export function writeVtt(document: ExportDocument): string {
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
