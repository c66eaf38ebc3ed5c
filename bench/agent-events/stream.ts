/** Event rate of the benchmark. */
export const eventsPerSecond = 20_000
/** Duration of one stream in seconds. */
export const secondsOfStream = 10
/** Number of events in one stream; the last one is `done`. */
export const totalEvents = eventsPerSecond * secondsOfStream

/** Event `n` of the stream as the provider writes it (service-notes 6): all types in turn, each with its own number. */
export function eventText(n: number): string {
  const sessionId = 'bench-session'
  const event = (rest: object): string => `data: ${JSON.stringify({ ...rest, sessionId })}\n\n`
  if (n === 0) return event({ type: 'session_created' })
  if (n === totalEvents - 1) return event({ type: 'done', messageId: `m-${n}` })
  if (n % 100 === 50)
    return event({
      type: 'tool_call',
      data: { callId: `c-${n}`, toolName: 'retrieve', arguments: { query: `n-${n}` } },
    })
  if (n % 100 === 51)
    return event({
      type: 'tool_result',
      data: {
        callId: `c-${n}`,
        toolName: 'retrieve',
        result: [`n-${n}`],
        status: 'success',
        durationMs: 3,
      },
    })
  if (n % 10 === 0) return event({ type: 'reasoning', data: `n-${n} 想一想 ` })
  return event({ type: 'answer', data: `n-${n} 词 ` })
}

/** Number an event carries after it has passed through the client; 0 for the first, which carries none. */
export function numberOf(event: Readonly<Record<string, unknown>>): number {
  const { type, text, messageId, callId } = event
  if (type === 'session_created') return 0
  const word = type === 'done' ? messageId : (text ?? callId)
  return Number(/^[nmc]-(\d+)/.exec(String(word))?.[1] ?? Number.NaN)
}
