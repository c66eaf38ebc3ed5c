import type { Api } from '../../../api/types.ts'
import type { Clock, Log } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { PushPatch, PushRecord } from '../../../store/document-pushes.ts'
import type { Accounts } from '../../accounts/accounts.ts'
import { isStoreProblem } from '../../transcribe/persist.ts'

export interface ReadinessDeps {
  readonly api: { readonly documents: Pick<Api['documents'], 'get'> }
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  readonly log: Log
  after(ms: number, work: () => void): () => void
  change(id: string, patch: PushPatch): PushRecord | undefined
}

/** Polls the provider for texts it accepted, until each can be found there. */
export interface Readiness {
  watch(push: PushRecord): void
  stop(): void
}

/** First and maximum delay between two polls, in milliseconds; each is 1.5 times the one before. */
const firstMs = 1_000
const maxPauseMs = 300_000

/** Creates the polling. Polls cost nothing; without a network or a key they use the same delays. */
export function createReadiness(deps: ReadinessDeps): Readiness {
  const watched = new Map<string, () => void>()
  const closing = new AbortController()

  const later = (push: PushRecord, pauseMs: number): void => {
    if (closing.signal.aborted) return
    watched.set(
      push.id,
      deps.after(pauseMs, () => void ask(push, Math.min(pauseMs * 1.5, maxPauseMs))),
    )
  }
  const ask = async (push: PushRecord, nextMs: number): Promise<void> => {
    try {
      const patch = await checkReadiness(push)
      if (closing.signal.aborted) return
      if (patch) {
        watched.delete(push.id)
        deps.change(push.id, patch)
      } else later(push, nextMs)
    } catch (error) {
      if (!isStoreProblem(error) && !(error instanceof AppError))
        deps.log.error('failed to track a text in a knowledge base', { error })
      later(push, nextMs)
    }
  }
  /** Returns the outcome; null while the provider is still processing it. */
  const checkReadiness = async ({ accountId, remoteId }: PushRecord): Promise<PushPatch | null> => {
    if (remoteId === null) return null
    const target = await deps.accounts.target(accountId)
    const { value } = await deps.api.documents.get(target, { id: remoteId }, closing)
    const at = deps.clock()
    if (value.state === 'done') return { state: 'done', endedAt: at }
    if (value.state !== 'failed') return null
    const message = value.failure?.message ?? ''
    return {
      state: 'failed',
      endedAt: at,
      error: {
        code: 'SERVICE_FAILED',
        message: 'The provider could not read the text',
        retriable: false,
        ...(message !== '' && { service: { message } }),
        at,
      },
    }
  }

  return {
    watch(push) {
      if (!watched.has(push.id)) later(push, firstMs)
    },
    stop() {
      closing.abort()
      for (const callOff of watched.values()) callOff()
      watched.clear()
    },
  }
}
