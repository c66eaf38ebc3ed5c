import { decodeText } from '../../../../../../shared/knowledge/slicing/encoding.ts'
import { readSheet } from '../../../../../../shared/knowledge/slicing/read-sheet.ts'
import { readMarkdown, readPlain } from '../../../../../../shared/knowledge/slicing/read-text.ts'
import { slicesOf } from '../../../../../../shared/knowledge/slicing/slices.ts'
import { DocumentFailure, type Passage } from '../../../../../../shared/knowledge/slicing/types.ts'
import {
  maxShown,
  type ShownSlice,
  type SliceAnswer,
  type SliceOrder,
  type ChunkProblem,
} from './slice-order.ts'

/** Chunks documents outside of the page, with the rules of the on-device engine. */

const readers = { markdown: readMarkdown, text: readPlain, sheet: readSheet }

async function passagesOf({ name, content }: SliceOrder): Promise<readonly Passage[]> {
  if (content.kind === 'pages') return content.passages
  const decoderOf = (encoding: string) => new TextDecoder(encoding, { fatal: true })
  const text = await decodeText(new Uint8Array(content.bytes), decoderOf)
  return [...readers[content.kind](text, name)].filter((passage) => passage !== null)
}

/** Maps the engine's English errors to message keys of the page. */
function problemOf(error: unknown): ChunkProblem {
  if (!(error instanceof DocumentFailure)) return 'other'
  const message = error.message
  if (message.includes('no text')) return 'empty'
  if (message.includes('questions')) return 'noQuestions'
  if (message.includes('sheet (CSV)')) return 'notSheet'
  if (message.includes('known encoding')) return 'noText'
  return message.includes('characters') ? 'tooLong' : 'other'
}

async function cut(order: SliceOrder): Promise<SliceAnswer> {
  const { id, rules } = order
  const slices: ShownSlice[] = []
  let total = 0
  let chars = 0
  try {
    for (const { text, headings, places, line } of slicesOf(await passagesOf(order), rules)) {
      total += 1
      chars += text.length
      if (slices.length < maxShown)
        slices.push({ text, headings, line, page: places[0]?.page ?? null, chars: text.length })
    }
    return { id, slices, total, chars }
  } catch (error) {
    return { id, trouble: problemOf(error) }
  }
}

onmessage = ({ data }: MessageEvent<SliceOrder>): void => {
  void cut(data).then((answer) => postMessage(answer))
}
