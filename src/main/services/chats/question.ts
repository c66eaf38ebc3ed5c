import type { AnswerEvent } from '../../../shared/chat/answer.ts'
import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { ChatAttachment, ChatMessage } from '../../../shared/model/chat.ts'
import type { ServiceTarget } from '../../api/types.ts'
import { AppError } from '../../errors.ts'
import type { InputFile } from '../../operations/operation.ts'
import type { GivenTexts } from '../documents/send-to/texts.ts'
import type { Started } from './answer.ts'
import { askAgent } from './ask-agent.ts'
import { askAssistant } from './ask-assistant.ts'
import { refuseImported } from './check-question.ts'
import { contentOf } from './content.ts'
import { keepDrawings } from './drawn-images.ts'
import { retelling } from './plan.ts'
import type { Plan } from './plan.ts'
import type { ServiceAnswer } from './service-answer.ts'
import type { ChatsDeps } from './types.ts'
import { uploadFiles, withoutFileIds } from './uploads.ts'

/** What asking the service needs. */
export interface QuestionDeps extends Pick<
  ChatsDeps,
  | 'store'
  | 'files'
  | 'api'
  | 'accounts'
  | 'remote'
  | 'clock'
  | 'ids'
  | 'log'
  | 'countPages'
  | 'onMessage'
> {
  readonly texts: Pick<GivenTexts, 'text'>
  /** Sessions in which a question was refused in words that do not say why. */
  readonly doubted: Set<string>
}

/** By these a service may say that it does not know a session or an uploaded file any more. */
const unknownThere: ReadonlySet<ErrorCode> = new Set([
  'SERVICE_NOT_FOUND',
  'INVALID_INPUT',
  'SERVICE_FAILED',
])

/** Words of a refusal that is about the session or a file, and not about the question. */
const aboutOld = /session|conversation|\bfile|attachment|会话|对话|文件|附件/i

/** Whether a refusal may mean the session or a file: it says so, or it comes the second time in this session. */
function mayMeanOld(error: AppError, sessionId: string | null, doubted: Set<string>): boolean {
  if (!unknownThere.has(error.code)) return false
  if (error.code === 'SERVICE_NOT_FOUND' || aboutOld.test(error.service?.message ?? '')) return true
  if (sessionId === null) return false
  const isAgain = doubted.has(sessionId)
  doubted.add(sessionId)
  return isAgain
}

/**
 * Asks the service: documents and pictures with the question, files uploaded before. A session or file that the service does not know
 * any more is begun or uploaded anew, once; after any other refusal the session stays, and nothing is told again. Throws AppError; what
 * came was told before.
 */
export async function question(
  deps: QuestionDeps,
  started: Started,
  emit: (event: AnswerEvent) => void,
  signal: AbortSignal,
  onRequest: () => void,
): Promise<ServiceAnswer> {
  const { store } = deps
  const found = store.chats.message(started.questionId)
  if (!found) throw new AppError('NOT_FOUND', 'The question is gone')
  refuseImported(found.attachments)
  const target = await deps.accounts.target(started.accountId)
  signal.throwIfAborted()
  // The key may have become another one meanwhile.
  const isSame = store.accounts.holder(started.accountId) === started.holder
  // Ids of files that another account uploaded, or this one under another key, say nothing to this one.
  const isOwn = isSame && store.chats.holderOf(found.id) === started.holder
  const questionMessage = isOwn ? found : { ...found, attachments: withoutFileIds(found.attachments) }
  const plan = isSame ? started.plan : retelling(store, questionMessage, started.accountId)
  let received = false
  const noted = (event: AnswerEvent): void => {
    received ||= event.t !== 'session'
    emit(event)
  }
  try {
    const answer = await once(deps, started, questionMessage, plan, target, noted, signal, onRequest)
    if (plan.sessionId !== null) deps.doubted.delete(plan.sessionId)
    return isSame ? answer : { ...answer, retold: plan.turns.length }
  } catch (error) {
    const { sessionId, earlier } = plan
    const isOld = sessionId !== null || [...questionMessage.attachments, ...earlier].some(isUploaded)
    if (received || !isOld || !(error instanceof AppError)) throw error
    if (!mayMeanOld(error, sessionId, deps.doubted)) throw error
    const second = withoutFiles(retelling(store, questionMessage, started.accountId))
    const resent = { ...questionMessage, attachments: withoutFileIds(questionMessage.attachments) }
    const answer = await once(deps, started, resent, second, target, noted, signal, onRequest)
    return { ...answer, retold: second.turns.length }
  }
}

async function once(
  deps: QuestionDeps,
  { settings, accountId, holder }: Started,
  questionMessage: ChatMessage,
  { sessionId, turns, earlier }: Plan,
  target: ServiceTarget,
  emit: (event: AnswerEvent) => void,
  signal: AbortSignal,
  onRequest: () => void,
): Promise<ServiceAnswer> {
  const file = (id: string): Promise<InputFile> => inputFileOf(deps, id)
  const keep = (attachments: readonly ChatAttachment[]): void => {
    if (signal.aborted || JSON.stringify(attachments) === JSON.stringify(questionMessage.attachments)) return
    deps.onMessage(deps.store.chats.setState(questionMessage.id, { state: questionMessage.state, attachments, holder }))
  }
  const parts = { text: questionMessage.text, attachments: questionMessage.attachments, turns, earlier, target }
  const { message, attachments } = await contentOf({ ...deps, file }, parts)
  keep(attachments)
  const uploaded = await uploadFiles({ ...deps, file }, attachments, target, signal, keep)
  const there = earlier.filter((each) => each.kind === 'file' && deps.store.media.get(each.mediaId))
  const known = await uploadFiles({ ...deps, file }, there, target, signal, () => undefined)
  signal.throwIfAborted()
  const files = [...uploaded, ...known].flatMap((each) =>
    each.kind === 'file' && each.fileId !== null ? [each.fileId] : [],
  )
  const now = deps.clock
  onRequest()
  const common = { api: deps.api, target, message, files, sessionId, signal, now, emit }
  if (settings.kind === 'agent') return askAgent({ ...common, settings })
  return askAssistant({
    ...common,
    settings,
    keepDrawings: (calls) => keepDrawings(deps, calls, accountId, signal),
  })
}

/** Files that were uploaded for earlier questions may be what the service does not know. */
const withoutFiles = (plan: Plan): Plan => ({
  ...plan,
  earlier: plan.earlier.filter(({ kind }) => kind !== 'file'),
})

const isUploaded = (each: ChatAttachment): boolean => each.kind === 'file' && each.fileId !== null

async function inputFileOf(
  { store, files, countPages }: Pick<QuestionDeps, 'store' | 'files' | 'countPages'>,
  id: string,
): Promise<InputFile> {
  const media = store.media.get(id)
  if (!media) throw new AppError('FILE_MISSING', 'The file is gone')
  const { inputFile } = await import('../../operations/input-file.ts')
  return inputFile(await files.path(id), countPages, media.name)
}
