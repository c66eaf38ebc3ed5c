import type { AnswerEvent } from '../../../shared/chat/answer.ts'

/** Merges the events of one batch: joins consecutive text fragments, and keeps only the last list of an assistant's calls. */
export function joinEvents(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const lastTools = events.findLastIndex(({ t }) => t === 'tools')
  const joined: AnswerEvent[] = []
  let words: string[] = []
  const close = (): void => {
    const last = joined.at(-1)
    if (words.length > 1 && last && isText(last))
      joined[joined.length - 1] = { ...last, text: words.join('') }
    words = []
  }
  for (const [place, event] of events.entries()) {
    if (event.t === 'tools' && place !== lastTools) continue
    const last = joined.at(-1)
    if (isText(event) && last?.t === event.t) {
      words.push(event.text)
      continue
    }
    close()
    joined.push(event)
    if (isText(event)) words.push(event.text)
  }
  close()
  return joined
}

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'
