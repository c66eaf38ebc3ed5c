import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import type { Line, TitleSuggestion } from '../../../../../shared/model/meeting.ts'
import type { Context } from '../../../../context.ts'
import { addJobs } from '../../../../work-queue/jobs.ts'
import type { Executed } from '../../../../work-queue/work-queue.ts'
import { transcriptLanguage } from '../summaries/language.ts'
import { askAssistant, saveReplyOf } from '../summaries/summary-request.ts'
import { keyPhrases } from './key-phrases.ts'
import { readTitles, titlePrompt } from './title-prompt.ts'

/** Suggests titles for meetings whose title is automatic, once they are transcribed. */
interface Titles {
  /** Checks for meetings that are transcribed by now. */
  nudge(): void
  /**
   * Changes a transcript: its quotes are chosen again, and titles that an account wrote are withdrawn if the text is another
   * one. Returns what the change returned.
   */
  correct<T>(id: string, change: () => T): T
  accountReady(accountId: string): void
  busy(): boolean
  shutdown(): Promise<void>
}

interface TitlesDeps extends Pick<
  Context,
  'store' | 'workQueue' | 'clock' | 'ids' | 'log' | 'mask' | 'after'
> {
  readonly api: Pick<Context['api'], 'assistants' | 'agentChat'>
  readonly accounts: Pick<Context['accounts'], 'target'>
  /** Called when titles of this meeting are offered. */
  onTitles(id: string): void
}

/** Number of suggestions: the others are shown on request, without another request to the provider. */
const count = 3
/** Maximum number of lines read of a transcript. */
const maxLines = 2_000

/**
 * Creates suggestions. As the user chose in the settings, they are phrases of the transcript, found here, or written by the
 * meeting's account: then the meetings that want them are the rows of the queue, which sends the beginning of the transcript.
 */
export function createTitles(deps: TitlesDeps): Titles {
  const { store } = deps
  const closing = new AbortController()

  const choice = () => store.settings.get().titleSuggestions
  const isRemote = (accountId: string): boolean =>
    choice() === 'account' && accountId !== localAccountId
  const linesOf = (id: string) => store.meetings.lines(id, 0, maxLines)
  const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n')
  const offer = (id: string, suggestion: TitleSuggestion): void => {
    if (!store.meetings.get(id)) return
    store.meetings.suggestTitles(id, suggestion.titles.length > 0 ? suggestion : null)
    deps.onTitles(id)
  }
  const quote = (id: string): void =>
    offer(id, { titles: keyPhrases(linesOf(id), count), engine: null })

  const execute = async (id: string, signal: AbortSignal): Promise<Executed> => {
    const meeting = store.meetings.get(id)
    if (!meeting) return 'unsent'
    const lines = linesOf(id)
    const language = transcriptLanguage(lines)
    const reply = await askAssistant(
      {
        api: deps.api,
        signal,
        target: () => deps.accounts.target(meeting.accountId),
        keep: saveReplyOf(deps, id, closing.signal),
      },
      undefined,
      titlePrompt(lines, language, deps.ids()),
    )
    // An engine with a notice is no language model: it quotes, as Lectern does.
    const [engine = '', notice] = reply.engine.split('\n')
    const titles = notice === undefined ? readTitles(deps.mask(reply.text), count) : []
    // They may contain what was corrected in the meantime.
    const isOutdated = textOf(linesOf(id)) !== textOf(lines)
    if (titles.length > 0 && !isOutdated) offer(id, { titles, engine: deps.mask(engine) })
    else quote(id)
    return 'done'
  }

  const jobs = addJobs<string>(deps, {
    about: 'title of a meeting',
    isEndless: false,
    open: () =>
      store.writable
        ? store.meetings
            .untitled()
            .filter(({ accountId }) => isRemote(accountId))
            .map((one) => ({ ...one, state: 'running' }))
        : [],
    execute: (id, { signal }) => execute(id, signal),
    change(id, state) {
      if (state === 'failed') quote(id)
    },
  })

  const suggest = (): void => {
    if (!store.writable || closing.signal.aborted) return
    const wanted = store.meetings.untitled()
    if (choice() === 'off') {
      for (const { id } of wanted) store.meetings.suggestTitles(id, null)
      return
    }
    if (wanted.some(({ accountId }) => isRemote(accountId))) jobs.kick()
    const local = wanted.find(({ accountId }) => !isRemote(accountId))
    if (!local) return
    quote(local.id)
    nudge()
  }
  const planned = new Set<string>()
  /** Does work in a moment, once per name. One transcript is read at a time: everything else in this process waits for it. */
  const plan = (name: string, work: () => void): void => {
    if (planned.has(name)) return
    planned.add(name)
    deps.after(0, () => {
      planned.delete(name)
      try {
        work()
      } catch (error) {
        // The next change of a meeting tries again.
        deps.log.warn('failed to suggest a title', { error })
      }
    })
  }
  const nudge = (): void => plan('', suggest)

  /** Returns the transcript from which an account wrote the suggested titles; null for other titles, or none. */
  const textOfWritten = (id: string): string | null =>
    store.meetings.get(id)?.titleSuggestion?.engine ? textOf(linesOf(id)) : null
  const corrected = (id: string): void => {
    const suggestion = store.meetings.get(id)?.titleSuggestion
    if (!suggestion) return
    if (suggestion.engine === null) quote(id)
    else offer(id, { ...suggestion, titles: [] })
  }

  return {
    nudge,
    correct(id, change) {
      const before = textOfWritten(id)
      const result = change()
      if (before === null || textOfWritten(id) !== before) plan(id, () => corrected(id))
      return result
    },
    accountReady: (accountId) => jobs.wake(accountId),
    busy: () => jobs.busy(),
    async shutdown() {
      closing.abort()
      await jobs.shutdown()
    },
  }
}
