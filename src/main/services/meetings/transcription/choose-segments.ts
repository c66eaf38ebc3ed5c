import { setImmediate } from 'node:timers/promises'
import type { ParsedOf } from '../../../../shared/bridge/routes.ts'
import type { Line, Segment } from '../../../../shared/model/meeting.ts'
import { joinTexts } from '../../../../shared/text/join.ts'
import { createPhoneticMatcher } from './phonetic-similarity.ts'

/** Selection of segments to transcribe again. */
export type Which = ParsedOf<'meetings.again'>['which']

/** The segments to transcribe again; `lines` is called only if the selection depends on words. */
export async function chosen(
  which: Which,
  segments: readonly Segment[],
  lines: () => readonly Line[],
): Promise<readonly Segment[]> {
  switch (which.type) {
    case 'all':
      return segments
    case 'flagged':
      return segments.filter(({ state }) => state === 'flagged')
    case 'segments': {
      const ids = new Set(which.ids)
      return segments.filter(({ id }) => ids.has(id))
    }
    case 'range':
      return segments.filter(
        ({ startMs, endMs, channel }) =>
          startMs < which.endMs &&
          endMs > which.startMs &&
          (which.channel === undefined || which.channel === channel),
      )
    case 'words':
      return soundingLike(which.words, segments, lines())
  }
}

/** Segments whose text probably contains one of the words, transcribed incorrectly. */
async function soundingLike(
  words: readonly string[],
  segments: readonly Segment[],
  lines: readonly Line[],
): Promise<readonly Segment[]> {
  const matcher = await createPhoneticMatcher(words)
  const texts = new Map<string, string[]>()
  for (const { segmentId, text } of lines) {
    if (segmentId === null) continue
    const list = texts.get(segmentId)
    if (list) list.push(text)
    else texts.set(segmentId, [text])
  }
  const found: Segment[] = []
  for (const [at, segment] of segments.entries()) {
    // Hours of speech take longer than a frame: yields to other work.
    if (at % atATime === atATime - 1) await setImmediate()
    if (matcher.detects(joinTexts(texts.get(segment.id) ?? []))) found.push(segment)
  }
  return found
}

/** Number of segments searched without yielding. */
const atATime = 4
