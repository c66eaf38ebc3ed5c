import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import type { ExportDocument } from './document.ts'
import { doneSummaries, factLine, turnsOf, type Turn } from './text.ts'
import { clockTime } from './times.ts'

/**
 * Writes a Word document: title, facts, summaries, notes and the transcript with a paragraph per turn. Fonts cover Chinese.
 */
export async function writeDocx(document: ExportDocument): Promise<Uint8Array> {
  const { source, words } = document
  const { meeting } = source
  const heading = (text: string, level: 'HEADING_1' | 'HEADING_2'): Paragraph =>
    new Paragraph({ text: clean(text), heading: HeadingLevel[level] })
  const turns = turnsOf(document)
  const summaries = doneSummaries(meeting).flatMap((summary) => [
    heading(`${words.summary}: ${summary.templateName}`, 'HEADING_1'),
    ...summary.points.map(
      ({ section, text }) =>
        new Paragraph({
          text: clean(section === '' ? text : `${section}: ${text}`),
          bullet: { level: 0 },
        }),
    ),
  ])
  const notes =
    meeting.notes.trim() === ''
      ? []
      : [
          heading(words.notes, 'HEADING_1'),
          ...meeting.notes.split('\n').map((text) => new Paragraph({ text: clean(text) })),
        ]
  const file = new Document({
    title: clean(meeting.title),
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
          new Paragraph({ text: clean(meeting.title), heading: HeadingLevel.TITLE }),
          new Paragraph({ children: [new TextRun({ text: factLine(document), color: '666666' })] }),
          ...summaries,
          ...notes,
          ...(turns.length > 0 ? [heading(words.transcript, 'HEADING_1')] : []),
          ...turns.map((turn) => paragraph(document, turn)),
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
