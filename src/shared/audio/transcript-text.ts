/** A line of a transcript as it is sent with a question. */
interface TranscriptTextLine {
  /** `3:45` or `1:02:03`. */
  readonly time: string
  readonly text: string
}

/** A place in a text that names times of a meeting. Offsets are UTF-16 units. */
interface TimeMark {
  readonly start: number
  readonly end: number
  readonly times: readonly { readonly text: string; readonly seconds: number }[]
}

const clock = String.raw`(?:\d{1,3}:)?\d{1,2}:[0-5]\d`
const lineStart = new RegExp(String.raw`^\[(${clock})\] [^\n:]{1,200}: `)
const mark = new RegExp(
  String.raw`[[【]\s?(${clock}(?:\s?(?:[-–—~,，、;；]|and|和|至|到)\s?${clock}){0,19})\s?[\]】]`,
  'g',
)

/** Returns a line of a transcript for a question: `[3:45] Name: words`. Answers cite its time in the same form. */
export const transcriptLine = (time: string, name: string, text: string): string =>
  `[${time}] ${name.replaceAll(/[\s:]+/g, ' ')}: ${text.replaceAll(/\s+/g, ' ').trim()}`

/** Parses a text of such lines; null for any other text. */
export function readTranscriptText(text: string): readonly TranscriptTextLine[] | null {
  const lines: TranscriptTextLine[] = []
  for (const line of text.split('\n')) {
    const found = lineStart.exec(line)
    if (!found) return null
    lines.push({ time: found[1] ?? '', text: line.slice(found[0].length) })
  }
  return lines
}

/** Finds times in brackets, as answers cite them: `[3:45]`, `[1:02:03, 1:04:10]`, `【3:45–4:10】`. */
export const timeMarks = (text: string): readonly TimeMark[] =>
  Array.from(text.matchAll(mark), ({ 0: whole, 1: inner = '', index }) => ({
    start: index,
    end: index + whole.length,
    times: (inner.match(new RegExp(clock, 'g')) ?? []).map((time) => ({
      text: time,
      seconds: time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0),
    })),
  }))
