/** One output of an assistant's tool, as the service's client reads it (service-notes 8). */
export type ToolKind =
  | 'web_browser'
  | 'code_interpreter'
  | 'drawing_tool'
  | 'retrieval'
  | 'function'
  | 'unknown'

/** A tool call of an assistant with what it brought so far: fields as in `main/api/assistants.ts`. */
export interface AssistantTool {
  readonly type: ToolKind
  readonly [field: string]: unknown
}

/**
 * What happens while an answer comes, as it is stored and told; `at` is Unix ms. `tools` is the whole list of an assistant's calls
 * at that moment: it replaces the one before. `whole` corrects the text that came in pieces.
 */
export type AnswerEvent =
  | { readonly t: 'text'; readonly text: string; readonly at: number }
  | { readonly t: 'reasoning'; readonly text: string; readonly at: number }
  | { readonly t: 'thought'; readonly text: string; readonly at: number }
  | {
      readonly t: 'call'
      readonly callId: string
      readonly tool: string
      readonly arguments: unknown
      readonly at: number
    }
  | {
      readonly t: 'result'
      readonly callId: string
      readonly tool: string
      readonly result: unknown
      readonly status: string
      readonly durationMs: number | null
      readonly at: number
    }
  | { readonly t: 'tools'; readonly calls: readonly AssistantTool[]; readonly at: number }
  | { readonly t: 'session'; readonly id: string; readonly at: number }
  | { readonly t: 'unknown'; readonly name: string; readonly data: unknown; readonly at: number }
  | { readonly t: 'whole'; readonly text: string; readonly at: number }

/** One step of the way to an answer. `textAt` is the length of the text when it began, in UTF-16 units. */
export type AnswerStep =
  | {
      readonly kind: 'reasoning' | 'thought'
      readonly text: string
      readonly textAt: number
      readonly startedAt: number
      readonly endedAt: number | null
    }
  | {
      readonly kind: 'call'
      readonly callId: string
      readonly tool: string
      readonly arguments: unknown
      /** Null while it works. A result without a call has `arguments` null. */
      readonly result: { readonly value: unknown; readonly status: string } | null
      readonly textAt: number
      readonly startedAt: number
      readonly endedAt: number | null
      /** As the service told it; else null, and the difference of the times stands. */
      readonly durationMs: number | null
    }
  | {
      readonly kind: 'tool'
      readonly call: AssistantTool
      readonly textAt: number
      readonly startedAt: number
      readonly endedAt: number | null
    }
  | {
      readonly kind: 'unknown'
      readonly name: string
      readonly data: unknown
      readonly textAt: number
      readonly startedAt: number
    }

/** An answer as far as it has come. */
export interface AnswerSoFar {
  readonly text: string
  readonly steps: readonly AnswerStep[]
  readonly sessionId: string | null
}

/** Steps of one answer at most: no agent makes so many, and each is held, kept and drawn. The words go on. */
export const mostSteps = 10_000

/** An answer of which nothing came. */
export const emptyAnswer: AnswerSoFar = { text: '', steps: [], sessionId: null }

/**
 * The answer after one more event. Pieces of one kind join; a piece of the text or another step ends thinking, and the text an
 * assistant's call that stayed silent. What is told again word for word under its id is told once; nothing else takes another's place.
 */
export function foldAnswer(answer: AnswerSoFar, event: AnswerEvent): AnswerSoFar {
  const { at } = event
  const textAt = answer.text.length
  switch (event.t) {
    case 'text':
      return { ...answer, text: answer.text + event.text, steps: endLast(answer.steps, at) }
    case 'whole':
      return { ...answer, text: event.text, steps: endLast(answer.steps, at) }
    case 'session':
      return { ...answer, sessionId: event.id }
    case 'reasoning':
    case 'thought': {
      const last = answer.steps.at(-1)
      if (last?.kind === event.t && last.endedAt === null)
        return withLast(answer, { ...last, text: last.text + event.text })
      return withStep(answer, at, {
        kind: event.t,
        text: event.text,
        textAt,
        startedAt: at,
        endedAt: null,
      })
    }
    case 'call':
      return withCall(answer, event)
    case 'result':
      return withResult(answer, event)
    case 'tools':
      return withTools(answer, event.calls, at)
    case 'unknown':
      return withStep(answer, at, {
        kind: 'unknown',
        name: event.name,
        data: event.data,
        textAt,
        startedAt: at,
      })
  }
}

/** Nothing more comes: what was still open ended at `at`. */
export const closeAnswer = (answer: AnswerSoFar, at: number): AnswerSoFar => ({
  ...answer,
  steps: answer.steps.map((step) =>
    step.kind === 'unknown' || step.endedAt !== null ? step : { ...step, endedAt: at },
  ),
})

const isThinking = (step: AnswerStep): boolean =>
  step.kind === 'reasoning' || step.kind === 'thought'

function endThinking(steps: readonly AnswerStep[], at: number): readonly AnswerStep[] {
  const last = steps.at(-1)
  return last && isThinking(last) ? endLast(steps, at) : steps
}

/** Ends the last step where that one waits for nothing: thinking, or an assistant's call. */
function endLast(steps: readonly AnswerStep[], at: number): readonly AnswerStep[] {
  const last = steps.at(-1)
  if (!last || last.kind === 'unknown' || last.kind === 'call' || last.endedAt !== null)
    return steps
  return [...steps.slice(0, -1), { ...last, endedAt: at }]
}

const withLast = (answer: AnswerSoFar, step: AnswerStep): AnswerSoFar => ({
  ...answer,
  steps: [...answer.steps.slice(0, -1), step],
})

const withStep = (answer: AnswerSoFar, at: number, step: AnswerStep): AnswerSoFar =>
  answer.steps.length >= mostSteps
    ? answer
    : { ...answer, steps: [...endThinking(answer.steps, at), step] }

/** Begins a call; one whose result came before it gets its arguments. */
function withCall(
  answer: AnswerSoFar,
  { callId, tool, arguments: given, at }: Extract<AnswerEvent, { t: 'call' }>,
): AnswerSoFar {
  const place = answer.steps.findLastIndex(
    (step) => step.kind === 'call' && callId !== '' && step.callId === callId,
  )
  const known = answer.steps[place]
  const late = known?.kind === 'call' && known.arguments === null
  if (known?.kind === 'call' && known.tool === tool && (late || isEqual(known.arguments, given)))
    return { ...answer, steps: answer.steps.with(place, { ...known, arguments: given }) }
  return withStep(answer, at, {
    kind: 'call',
    callId,
    tool,
    arguments: given,
    result: null,
    textAt: answer.text.length,
    startedAt: at,
    endedAt: null,
    durationMs: null,
  })
}

/** Pairs a result with its call: by its id, else with the oldest open call of that tool. A stranger stands alone. */
function withResult(
  answer: AnswerSoFar,
  event: Extract<AnswerEvent, { t: 'result' }>,
): AnswerSoFar {
  const open = (step: AnswerStep): boolean => step.kind === 'call' && step.result === null
  const byId = (step: AnswerStep): boolean =>
    event.callId !== '' && step.kind === 'call' && step.callId === event.callId && open(step)
  const told = (step: AnswerStep): boolean =>
    event.callId !== '' &&
    step.kind === 'call' &&
    step.callId === event.callId &&
    isEqual(step.result?.value, event.result)
  const byTool = (step: AnswerStep): boolean =>
    step.kind === 'call' &&
    (event.callId === '' || step.callId === '') &&
    step.tool === event.tool &&
    open(step)
  const exact = answer.steps.findIndex(byId)
  const place = exact >= 0 ? exact : answer.steps.findIndex(byTool)
  if (place < 0 && answer.steps.some(told)) return answer
  const call = answer.steps[place]
  const ended = {
    result: { value: event.result, status: event.status },
    endedAt: event.at,
    durationMs: event.durationMs,
  }
  if (call?.kind !== 'call')
    return withStep(answer, event.at, {
      kind: 'call',
      callId: event.callId,
      tool: event.tool,
      arguments: null,
      textAt: answer.text.length,
      startedAt: event.at,
      ...ended,
    })
  return { ...answer, steps: answer.steps.with(place, { ...call, ...ended }) }
}

/** Puts the assistant's calls as they are now in the place of those before; calls that are new begin now. */
function withTools(answer: AnswerSoFar, calls: readonly AssistantTool[], at: number): AnswerSoFar {
  let known = 0
  const steps = answer.steps.map((step) => {
    if (step.kind !== 'tool') return step
    const call = calls[known++] ?? step.call
    const before = outputsOf(step.call)
    return { ...step, call, endedAt: outputsOf(call) > before ? at : step.endedAt }
  })
  const room = Math.max(0, mostSteps - steps.length)
  const fresh = calls.slice(known, known + room).map((call): AnswerStep => ({
    kind: 'tool',
    call,
    textAt: answer.text.length,
    startedAt: at,
    endedAt: outputsOf(call) > 0 ? at : null,
  }))
  return { ...answer, steps: [...(fresh.length > 0 ? endThinking(steps, at) : steps), ...fresh] }
}

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)

const outputsOf = ({ outputs }: AssistantTool): number =>
  Array.isArray(outputs) ? outputs.length : 0
