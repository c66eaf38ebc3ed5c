/** Content of a summary request: the meeting's lines, or points of earlier answers to combine. */
export type MinutesBody = 'transcript' | 'points'

/** A parsed summary request. */
export interface MinutesRequest {
  readonly body: MinutesBody
  readonly sections: readonly { readonly title: string; readonly instruction: string }[]
  readonly lines: readonly string[]
}

/**
 * Creates the machine-readable part of a summary request: its sections as numbered headings, and its lines inside a fence.
 * `key` is in both marks of the fence, so that nothing inside can end it; line breaks within a line become spaces.
 */
export function minutesBlock(request: MinutesRequest, key: string): string {
  const sections = request.sections.map(
    ({ title, instruction }, at) => `## ${at + 1}. ${oneLine(title)}\n${oneLine(instruction)}`,
  )
  const lines = request.lines.map(oneLine)
  const mark = `${request.body}-${key}`
  return [...sections, '', `<${mark}>`, ...lines, `</${mark}>`].join('\n')
}

/** Parses a summary request by its structure; null for any other text. */
export function readMinutesBlock(text: string): MinutesRequest | null {
  const open = /^<(transcript|points)-([\w-]{6,64})>$/m.exec(text)
  if (!open) return null
  const [mark, body = '', key = ''] = open
  const from = open.index + mark.length + 1
  const to = text.indexOf(`\n</${body}-${key}>`, open.index)
  if (to < 0) return null
  const sections = Array.from(
    text.slice(0, open.index).matchAll(/^## \d+\. (.+)\n(.*)$/gm),
    ([, title = '', instruction = '']) => ({ title, instruction }),
  )
  if (sections.length === 0) return null
  const lines = text
    .slice(Math.min(from, to), to)
    .split('\n')
    .filter((line) => line !== '')
  return { body: body === 'points' ? 'points' : 'transcript', sections, lines }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
