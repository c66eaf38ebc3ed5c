import type { Passage } from '../types.ts'

const passage = (text: string, line: number, level: number | null = null): Passage => ({
  text,
  level,
  places: [],
  line,
  sheet: null,
})

const withoutMarks = (text: string): string =>
  text.replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1').replace(/(\*\*|__)(\S.*?)\1/g, '$2')

/** Paragraphs of a plain text: what stands between empty lines. */
export function readPlain(text: string): readonly Passage[] {
  const passages: Passage[] = []
  let first = 0
  let lines: string[] = []
  const end = (): void => {
    if (lines.length > 0) passages.push(passage(lines.join('\n'), first))
    lines = []
  }
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') {
      end()
      continue
    }
    if (lines.length === 0) first = i + 1
    lines.push(line.trimEnd())
  }
  end()
  return passages
}

/** Headings and blocks of a Markdown text; a fenced block stays whole. */
export function readMarkdown(text: string): readonly Passage[] {
  const passages: Passage[] = []
  let first = 0
  let lines: string[] = []
  let fence: string | undefined
  const end = (): void => {
    if (lines.length > 0) passages.push(passage(withoutMarks(lines.join('\n')), first))
    lines = []
  }
  const add = (line: string, number: number): void => {
    if (lines.length === 0) first = number
    lines.push(line.trimEnd())
  }
  for (const [i, line] of text.split('\n').entries()) {
    const number = i + 1
    const fenced = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
    if (fence !== undefined) {
      add(line, number)
      if (fenced?.startsWith(fence)) fence = undefined
      continue
    }
    const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line)
    const under = /^\s{0,3}(=+|-{2,})\s*$/.exec(line)?.[1]
    if (heading) {
      end()
      passages.push(passage(withoutMarks(heading[2] ?? ''), number, heading[1]?.length ?? 1))
    } else if (under !== undefined && lines.length === 1) {
      passages.push(passage(withoutMarks(lines[0] ?? ''), first, under.startsWith('=') ? 1 : 2))
      lines = []
    } else if (line.trim() === '' || under !== undefined) {
      end()
    } else {
      if (fenced !== undefined) fence = fenced
      add(line, number)
    }
  }
  end()
  return passages.filter(({ text: words }) => words.trim() !== '')
}
