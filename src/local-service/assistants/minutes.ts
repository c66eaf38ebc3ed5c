import { engineNames } from '../../shared/service/engine-names.ts'
import { engineNotices } from '../../shared/service/engine-notices.ts'
import { readMinutesBlock, type MinutesRequest } from '../../shared/service/minutes.ts'
import { kindOf } from './minutes-cues.ts'
import { earlierPoints, transcriptSentences, type EarlierPoint } from './minutes-lines.ts'
import { pickFor, type Picked } from './minutes-selection.ts'
import type { Ask, SkillAnswer } from './skill.ts'

/** Maximum points of a section after the parts of a long meeting are joined. */
const maxJoined = 60

/**
 * Answers a request to summarize a meeting: spoken sentences under the requested headings, each with its lines. Null for any
 * other question.
 */
export function answerMinutes({ question }: Pick<Ask, 'question'>): SkillAnswer | null {
  const request = readMinutesBlock(question)
  if (!request) return null
  const found = request.body === 'points' ? joined(request) : picked(request)
  const text = request.sections
    .map(({ title }, at) => [`## ${at + 1}. ${title}`, ...(found[at] ?? []).map(bullet)].join('\n'))
    .join('\n\n')
  return {
    text,
    toolCalls: [],
    engine: engineNames.sentencePicker,
    notice: engineNotices.sentencesPicked,
  }
}

const bullet = ({ text, lines }: Picked): string =>
  `- ${text}${lines.length > 0 ? ` [${lines.join(', ')}]` : ''}`

function picked({ sections, lines }: MinutesRequest): readonly (readonly Picked[])[] {
  const sentences = transcriptSentences(lines)
  return sections.map((section) => pickFor(kindOf(section), section, sentences))
}

/** Joins points under their titles without duplicates; too many are thinned out evenly. */
function joined({ sections, lines }: MinutesRequest): readonly (readonly Picked[])[] {
  const points = earlierPoints(lines)
  return sections.map(({ title }) => thinned(once(points.filter((one) => one.title === title))))
}

function once(points: readonly EarlierPoint[]): readonly Picked[] {
  const known = new Map<string, Picked>()
  for (const { text, lines } of points) {
    const same = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
    const before = known.get(same)
    known.set(
      same,
      before ? { ...before, lines: [...new Set([...before.lines, ...lines])] } : { text, lines },
    )
  }
  return [...known.values()]
}

const thinned = (points: readonly Picked[]): readonly Picked[] => {
  const step = Math.max(1, points.length / maxJoined)
  return Array.from(
    { length: Math.min(points.length, maxJoined) },
    (_, at) => points[Math.floor(at * step)],
  ).filter((one) => one !== undefined)
}
