import { readDocumentQuestions } from '../../shared/provider/document-question.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { countTokens } from '../assistants/count-tokens.ts'
import { languageOf } from '../assistants/language.ts'
import type { ServiceContext, Route, Handler } from '../context.ts'
import { PageFailure } from '../engines/pages.ts'
import { ServiceError } from '../errors.ts'
import { maxImageJsonBytes, readJsonBody } from '../json-body.ts'
import { retentionDays } from '../retention-days.ts'
import {
  answerFragments,
  answerText,
  runAgent,
  type AgentOutcome,
  callTool,
  type AgentStep,
} from '../knowledge/agent/loop.ts'
import { keywordsOf } from '../knowledge/agent/rewrite.ts'
import { openSessionStore } from '../knowledge/agent/sessions.ts'
import { agentLabels } from '../knowledge/agent/agent-labels.ts'
import { eventStream, jsonEvent, type ServiceRequest } from '../http.ts'
import { readAgentRequest, type AgentMessage, type AgentRequest } from './agent-request.ts'
import { baseOf } from './knowledge.ts'
import { textProblem } from './text-errors.ts'

const noModel = engineNotices.quotesPassages

/**
 * Returns the ID of the session to continue, or undefined without one. Throws `notFound` for an unknown session.
 */
function sessionOf({ incoming }: ServiceRequest, { state }: ServiceContext): string | undefined {
  const header = incoming.headers['x-session-id']
  if (typeof header !== 'string' || header === '') return undefined
  if (!openSessionStore(state).has(header))
    throw new ServiceError(
      'notFound',
      `Session not found. Sessions are stored for ${retentionDays.sessions} days`,
    )
  return header
}

/** Returns a stream event (service-notes 6); thoughts are sent as text, calls as objects. */
function eventOf(sessionId: string, step: AgentStep): string {
  if (step.type === 'thought') return jsonEvent({ type: 'thought', sessionId, data: step.text })
  const { type, ...data } = step
  return jsonEvent({ type, sessionId, data })
}

interface AgentQuestion {
  readonly question: string
  readonly notices: readonly string[]
}

/** Returns the text of the last message, including the text in its images. */
async function* readQuestion(
  message: AgentMessage,
  request: ServiceRequest,
  context: ServiceContext,
): AsyncGenerator<AgentStep, AgentQuestion> {
  const { images } = message
  const given = readDocumentQuestions(message.text)
  const text = given?.question ?? message.text
  const words = agentLabels[languageOf(text)]
  const read: string[] = []
  const notices: string[] = given ? [engineNotices.documentsUnread] : []
  if (images.length > 0) yield { type: 'thought', text: words.thoughtImage }
  for (const { kind, bytes } of images) {
    const { value } = yield* callTool(context, 'image_reading', { kind }, async () => {
      const { pages } = await context.pages.read({ bytes, kind, signal: request.signal })
      return pages.flatMap(({ blocks }) => blocks.map(({ content }) => content)).join('\n')
    })
    if (value.trim() === '') notices.push(words.emptyImage)
    else read.push(value.replace(/^#+ /gm, '').trim())
  }
  if (images.length > 0) notices.push(engineNotices.imageTextOnly)
  return { question: [text.trim(), ...read].filter(Boolean).join('\n'), notices }
}

/** Returns the error as a stream event, because the status was already sent. */
function streamErrorMessage(error: unknown): string {
  const known = error instanceof PageFailure ? pageError(error) : textProblem(error)
  return known instanceof ServiceError ? known.message : 'The agent failed'
}

const pageError = (error: PageFailure): ServiceError =>
  new ServiceError('fieldIllegal', `An image can’t be read: ${error.message}`)

async function* events(
  agentRequest: AgentRequest,
  session: string | undefined,
  request: ServiceRequest,
  context: ServiceContext,
): AsyncGenerator<string> {
  const { state, ids, clock } = context
  const sessions = openSessionStore(state)
  const sessionId = session ?? ids()
  sessions.create(sessionId, clock())
  yield jsonEvent({ type: 'session_created', sessionId, data: sessionId })
  try {
    yield* answering(agentRequest, sessionId, request, context)
  } catch (error) {
    if (request.signal.aborted) return
    const { name: engine } = context.text
    yield jsonEvent({
      type: 'error',
      sessionId,
      data: { message: streamErrorMessage(error) },
      engine,
    })
  }
}

/** Forwards the steps of a generator as events and returns its result. */
async function* forward<T>(
  steps: AsyncGenerator<AgentStep, T>,
  sessionId: string,
): AsyncGenerator<string, T> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
    yield eventOf(sessionId, step.value)
  }
}

async function* answering(
  agentRequest: AgentRequest,
  sessionId: string,
  request: ServiceRequest,
  context: ServiceContext,
): AsyncGenerator<string> {
  const { state, ids, clock, knowledge, text } = context
  const { signal } = request
  const last = agentRequest.messages.at(-1) ?? { text: '', images: [] }
  const { question, notices } = yield* forward(readQuestion(last, request, context), sessionId)
  const sessions = openSessionStore(state)
  const earlier = [
    ...sessions.earlier(sessionId),
    ...agentRequest.messages
      .slice(0, -1)
      .map((message) => ({ question: message.text, keywords: keywordsOf(message.text) })),
  ]
  const { retrieval, maxSteps } = agentRequest
  const language = languageOf(question)
  const reach = { knowledge, text, signal, clock, ids }
  const task = { question, earlier, retrieval, maxSteps, language, ...reach }
  const reasoning = `${retrieval.baseIds.length} × knowledge base, ${maxSteps} × search, “${question}”.`
  if (agentRequest.thinking) yield jsonEvent({ type: 'reasoning', sessionId, data: reasoning })
  const outcome = yield* forward(runAgent(task), sessionId)
  const answer = answerText(outcome.parts, agentLabels[language])
  for (const data of answerFragments(answer)) yield jsonEvent({ type: 'answer', sessionId, data })
  const messageId = ids()
  const { keywords, nodes } = outcome
  sessions.keep({ sessionId, messageId, question, keywords, answer, nodes, at: clock() })
  yield jsonEvent({
    type: 'done',
    sessionId,
    messageId,
    data: answer,
    usage: usage(question, outcome, answer, agentRequest.thinking ? reasoning : ''),
    engine: text.name,
    notice: [noModel, ...notices, ...(agentRequest.temperature ? [noTemperature] : [])].join(' '),
  })
}

const noTemperature = engineNotices.noTemperature

/** Estimated token counts: of the question with the retrieved text, and of the answer (service-notes 6). */
function usage(question: string, outcome: AgentOutcome, answer: string, reasoning: string): object {
  const prompt_tokens = countTokens(
    [question, ...outcome.slices.map(({ text }) => text)].join('\n'),
  )
  const reasoning_tokens = countTokens(reasoning)
  const completion_tokens = countTokens(answer) + reasoning_tokens
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    total_calls: outcome.calls,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens },
  }
}

/**
 * `POST /zrag/agent/chat` (service-notes 6): rewrites the question, searches, rates the results, repeats if needed, and
 * answers with quotes.
 */
const chat: Handler = async (request, context) => {
  const agentRequest = readAgentRequest(await readJsonBody(request.incoming, maxImageJsonBytes))
  const session = sessionOf(request, context)
  for (const id of agentRequest.retrieval.baseIds) baseOf(context, id)
  return eventStream(events(agentRequest, session, request, context))
}

export const agentRoutes: readonly Route[] = [['POST', '/zrag/agent/chat', chat]]
