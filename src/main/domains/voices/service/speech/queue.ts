import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { TakeCheck } from '../../../../../shared/model/speech.ts'
import { AppError } from '../../../../errors.ts'
import type { SegmentPatch, SegmentRecord, TakeRecord } from '../../store/speech-types.ts'
import { persist } from '../../../../platform/database/persist.ts'
import {
  affectsAccount,
  maxAttempts,
  neverSent,
  repairableCodes,
} from '../../../../work-queue/retry-policy.ts'
import type { Executed } from '../../../../work-queue/work-queue.ts'
import { breathe } from './stepwise.ts'
import { createSpeak } from './synthesize.ts'
import type { SpeakingParts } from './types.ts'
import { localAccountId, wireModel } from '../../../../../shared/provider/profiles.ts'
import { engineNames } from '../../../../../shared/provider/engine-names.ts'
import { engineNotices, noticeParts } from '../../../../../shared/provider/engine-notices.ts'
import { isEnglish } from '../../../../../shared/text/language.ts'
import { joinTexts } from '../../../../../shared/text/join.ts'
import { compareTranscript, maxTranscriptChars } from '../../worker/compare.ts'
import { transcribeOnce } from '../../../audio/index.ts'

interface SpeechQueueDeps extends SpeakingParts {
  /** Returns the state of a segment without a pending request: done, stale or idle. */
  restStateOf(segment: SegmentRecord): 'done' | 'stale' | 'idle'
  /** Resets a narration without pending requests, except for these running segments. */
  rest(speechId: string, except: ReadonlySet<string>): Promise<void>
  /** Called when a segment has changed. */
  onSegment(segment: SegmentRecord): void
  /** Called when many segments of a narration have changed. */
  onMany(speechId: string): void
  /** Called when a narration has no more pending requests. */
  onSettled(speechId: string): void
}

/** Generates and verifies the requested segments, a few at a time per account, and stores each result. */
interface SpeechQueue {
  /** Starts what the user requested for a narration from an account, even if it was unreachable a moment ago. */
  pump(speechId: string, accountId: string): void
  /** Whether an account accepts no requests now, so that all its segments wait. */
  isHeld(accountId: string): boolean
  busy(): boolean
  /** Stops the segments of a narration; resolves when none of them is written any more. */
  stop(speechId: string): Promise<void>
  /** Nothing is generated before the first call. Waits as long as the store rejects writes. */
  resume(): Promise<void>
  /** Called when an account is available again. */
  wake(accountId: string): void
  shutdown(): Promise<void>
}

/** Number of rows written together: takes a few milliseconds. */
const rowsAtOnce = 400

export function createSpeechQueue(deps: SpeechQueueDeps): SpeechQueue {
  const { store } = deps
  const rows = store.speech
  const speak = createSpeak(deps)
  const check = createCheck(deps)
  const closing = new AbortController()
  /** Accounts whose queued segments are being failed. */
  const failing = new Set<string>()

  const write = <T>(work: () => T): Promise<T> =>
    persist(work, closing.signal, (error) =>
      deps.log.warn('failed to save a segment of a narration, will retry', { code: error.code }),
    )
  const patch = (id: string, fields: SegmentPatch): SegmentRecord | undefined => {
    const segment = rows.changeSegment(id, fields)
    if (segment) deps.onSegment(segment)
    return segment
  }
  const settled = (speechId: string): void => {
    if (!closing.signal.aborted && !rows.isOpen(speechId)) deps.onSettled(speechId)
  }
  /** Returns a segment as it is now, unless nothing more is to be done with it. */
  const pending = ({ id }: SegmentRecord): SegmentRecord | undefined => {
    const segment = rows.segment(id)
    return segment && isPending(segment) ? segment : undefined
  }
  /** The same for what an account does with it: one that is being verified can be moved to another account. */
  const pendingOf = (begun: SegmentRecord): SegmentRecord | undefined => {
    const segment = pending(begun)
    return segment?.accountId === begun.accountId ? segment : undefined
  }
  /** Ends a request without a result. */
  const drop = (segment: SegmentRecord): SegmentRecord | undefined =>
    patch(segment.id, { state: deps.restStateOf(segment), nextTryAt: null, error: null })

  /** Writes batches of rows until none are left; returns the total. */
  const through = async (change: () => number): Promise<number> => {
    for (let all = 0; ;) {
      const some = await write(change)
      all += some
      if (some < rowsAtOnce) return all
      await breathe()
    }
  }
  const inBackground = (promise: Promise<unknown>, message: string): void =>
    void promise.catch((error: unknown) => {
      if (!closing.signal.aborted) deps.log.error(message, { error })
    })

  const execute = async (begun: SegmentRecord, signal: AbortSignal): Promise<Executed> => {
    // Yields to the event loop, so that a thousand segments that fail at once do not block it.
    await breathe()
    let segment = pendingOf(begun)
    if (!segment) return 'unsent'
    let executed: Executed = 'unsent'
    while (segment && isPending(segment) && segment.accountId === begun.accountId) {
      if (signal.aborted) throw new AppError('CANCELLED', 'Stopped')
      const step = await (segment.state === 'checking' ? checkOnce : speakOnce)(segment, signal)
      if (step.isSent) executed = 'done'
      segment = step.segment
    }
    settled(begun.speechId)
    return executed
  }

  const speakOnce = async (segment: SegmentRecord, signal: AbortSignal): Promise<Step> => {
    const settings = rows.settings(segment.speechId)
    const begun = { state: 'speaking', error: null, nextTryAt: null } as const
    if (!settings || !(await write(() => patch(segment.id, begun))))
      return { segment: undefined, isSent: false }
    const { take: made, markSaved } = await speak(segment, settings, signal)
    const next = await write(() =>
      store.transaction(() => {
        const take = rows.addTake(made)
        rows.choose(segment.id, take.id)
        if (!take.reused) store.voices.used(take.accountId, take.voice.id, take.createdAt)
        if (settings.check && take.check === null)
          return patch(segment.id, { state: 'checking', attempts: 0 })
        return finish(segment.id, take)
      }),
    )
    // The received audio stays on disk until its row is written, in case of a crash.
    await markSaved()
    return { segment: next, isSent: !made.reused }
  }

  const checkOnce = async (segment: SegmentRecord, signal: AbortSignal): Promise<Step> => {
    const take = segment.take && rows.take(segment.take.id)
    if (!take) return { segment: await write(() => drop(segment)), isSent: false }
    const accountId = segment.accountId ?? deps.activeAccountId()
    await write(() => patch(segment.id, { error: null, nextTryAt: null }))
    const found = await check(take, accountId, signal)
    const next = await write(() => checked(segment.id, take, found))
    return { segment: next, isSent: found.state === 'heard' }
  }
  const checked = (
    segmentId: string,
    take: TakeRecord,
    found: TakeCheck,
  ): SegmentRecord | undefined =>
    store.transaction(() => {
      rows.setCheck(take.id, found)
      return finish(segmentId, { ...take, check: found })
    })

  /**
   * Called after the last step of a take: generates it again if words are missing and that may help, otherwise selects the
   * best take of the request.
   */
  const finish = (segmentId: string, take: TakeRecord): SegmentRecord | undefined => {
    const segment = rows.segment(segmentId)
    const settings = segment && rows.settings(segment.speechId)
    if (!segment || !settings) return undefined
    if (take.seq >= segment.round && segment.again < settings.paidRetries && isMissingText(take))
      return patch(segmentId, {
        state: 'queued',
        fresh: true,
        again: segment.again + 1,
        attempts: 0,
      })
    const best = bestOf(rows.takes(segmentId).filter(({ seq }) => seq >= segment.round))
    if (best) rows.choose(segmentId, best.id)
    const now = rows.segment(segmentId)
    const rest = { attempts: 0, fresh: false, nextTryAt: null, error: null } as const
    return now && patch(segmentId, { state: deps.restStateOf(now), ...rest })
  }

  /** Fails a segment; a take that could not be verified is used as it is. */
  const fail = (segment: SegmentRecord, error: Failure): void => {
    if (segment.state !== 'checking')
      return void patch(segment.id, { state: 'failed', error, nextTryAt: null })
    const take = segment.take && rows.take(segment.take.id)
    if (!take) return void drop(segment)
    const engine = store.accounts.get(segment.accountId ?? '')?.name ?? ''
    checked(segment.id, take, { state: 'unchecked', reason: 'failed', engine, error })
  }
  /**
   * Fails everything else that is queued for a rejected account for the same reason, without sending it: a narration of
   * thousands of segments ends, instead of waiting for a key.
   */
  const failRest = async (accountId: string, failure: Failure): Promise<void> => {
    if (failing.has(accountId)) return
    failing.add(accountId)
    try {
      const speeches = rows.openSpeeches(accountId)
      const except = work.inFlight().map(({ id }) => id)
      await through(() => rows.failAll(accountId, failure, except, rowsAtOnce))
      // The others only wait for their verification.
      const query = { accountId, at: Number.MAX_SAFE_INTEGER, except, exceptGroups: [] }
      for (let left = rows.next(query); left?.state === 'checking'; left = rows.next(query)) {
        const segment = left
        await write(() => fail(segment, failure))
        await breathe()
      }
      for (const id of speeches) {
        deps.onMany(id)
        settled(id)
      }
    } finally {
      failing.delete(accountId)
    }
  }

  /** Makes the segments due that waited for a connection to this account. */
  const endWaits = (accountId: string): void => {
    for (const { id, error } of rows.held(accountId))
      if (error && neverSent(error)) patch(id, { nextTryAt: null })
  }
  const onAccount = (accountId: string): void => {
    const { closed, reason } = work.status(accountId)
    if (closed === 'account' && reason && affectsAccount(reason.code))
      inBackground(failRest(accountId, reason), 'failed to end the segments of an account')
    else if (closed === null) endWaits(accountId)
  }

  const work = deps.workQueue.add<SegmentRecord>({
    about: 'segment',
    // Narrations have different voices, and a verification uses another model.
    isOneOperation: false,
    id: ({ id }) => id,
    group: ({ speechId }) => speechId,
    takesTurns: false,
    // Segments that the user chose come first.
    priority: ({ fresh }) => (fresh ? 0 : 1),
    accounts: () => (store.writable ? rows.dueAccounts() : []),
    size: (accountId) => store.accounts.get(accountId)?.profile.concurrency ?? 1,
    next: (search) => rows.next(search),
    nextTime: (after) => rows.nextTime(after),
    execute,
    attempts: ({ id }) => (rows.segment(id)?.attempts ?? 0) + 1,
    wait(begun, failure, { why, at }) {
      const segment = pendingOf(begun)
      if (!segment) return
      // Audio that was received but could not be stored may have to be paid for again.
      const attempts = segment.attempts + (why === 'again' || why === 'store' ? 1 : 0)
      const isRejected = why === 'account' && affectsAccount(failure.code)
      if (isRejected || attempts >= maxAttempts) fail(segment, failure)
      else
        patch(segment.id, {
          state: segment.state === 'checking' ? 'checking' : 'queued',
          attempts,
          nextTryAt: at ?? work.status(segment.accountId ?? '').nextAt,
          error: failure,
        })
      settled(segment.speechId)
    },
    fail(begun, failure) {
      const segment = pendingOf(begun)
      if (segment) fail(segment, failure)
      settled(begun.speechId)
    },
    stopped(begun) {
      const segment = pending(begun)
      if (segment) drop(segment)
      settled(begun.speechId)
    },
    onAccount,
    onSearched() {
      const offline = [...work.offline()]
      const waiting = offline.reduce((sum, id) => sum + rows.openOf(id), rows.waiting(offline))
      deps.setWaiting('speech', waiting)
    },
  })

  const wake = async (accountId: string): Promise<void> => {
    endWaits(accountId)
    const woken = await through(() => rows.wake(accountId, repairableCodes, rowsAtOnce))
    if (woken > 0) for (const id of rows.openSpeeches(accountId)) deps.onMany(id)
    work.wake(accountId)
  }

  return {
    pump(speechId, accountId) {
      work.resume(speechId)
      work.wake(accountId)
    },
    isHeld: (accountId) => work.status(accountId).closed !== null,
    busy: () => work.busy(),
    stop: (speechId) =>
      work.change(speechId, () =>
        deps.rest(speechId, new Set(work.inFlight().map(({ id }) => id))),
      ),
    async resume() {
      await write(() => rows.requeue(work.inFlight().map(({ id }) => id)))
      work.kick()
      // Other work may have found out about their accounts before.
      for (const accountId of rows.dueAccounts()) onAccount(accountId)
    },
    wake(accountId) {
      if (store.writable)
        inBackground(wake(accountId), 'failed to resume the segments of narrations')
    },
    async shutdown() {
      closing.abort()
      await work.shutdown()
    },
  }
}

const isPending = ({ state }: SegmentRecord): boolean =>
  state === 'queued' || state === 'speaking' || state === 'checking'

/** Result of a step: the segment as it is now, and whether anything was sent to the provider. */
interface Step {
  readonly segment: SegmentRecord | undefined
  readonly isSent: boolean
}

/**
 * Returns the take with the best verification score; the newest of equal ones. An unverified take counts as neither good
 * nor bad.
 */
function bestOf(takes: readonly TakeRecord[]): TakeRecord | undefined {
  const scoreOf = ({ check }: TakeRecord): number => (check?.state === 'heard' ? check.score : 0.5)
  return takes.toSorted((a, b) => scoreOf(b) - scoreOf(a) || b.seq - a.seq)[0]
}

/** Transcribes a take (service-notes 4) and compares it with its text. */
type Check = (take: TakeRecord, accountId: string, signal: AbortSignal) => Promise<TakeCheck>

/** Creates the check. It throws client errors. */
function createCheck(parts: SpeakingParts): Check {
  const { api, files, accounts } = parts
  return async (take, accountId, signal) => {
    // The on-device engine supports only English; its result for other languages would only alarm the user.
    if (accountId === localAccountId && !isEnglish(take.text))
      return { state: 'unchecked', reason: 'language', engine: engineNames.speech, error: null }
    const clips = await parts.spoken.checkClips(await files.path(take.mediaId))
    const target = await accounts.target(accountId)
    const texts: string[] = []
    let engine = wireModel(target.profile, 'gen-asr-2512')
    let unsure = false
    for (const { bytes, seconds } of clips) {
      const file = {
        content: bytes,
        bytes: bytes.length,
        name: 'audio.wav',
        mime: 'audio/wav' as const,
        seconds,
      }
      const request = { file, prompt: '', hotwords: [], stream: false }
      const result = await transcribeOnce(api, target, request, { signal })
      if (!result.noSpeech) texts.push(parts.mask(result.text))
      engine = parts.mask(result.model)
      unsure ||= isUnsure(result.notice)
    }
    // Limits the saved text, in case a provider returns a whole book for a sentence.
    const transcribed = joinTexts(texts).slice(0, maxTranscriptChars).toWellFormed()
    const { score, marks } = compareTranscript(take.text, transcribed)
    return { state: 'heard', score, marks, heard: transcribed, engine, unsure }
  }
}

const isUnsure = (notice: string | null): boolean =>
  notice !== null &&
  noticeParts(notice).some((part) => 'known' in part && part.known === 'uncertain')

/**
 * Returns whether the engine reports that it cannot speak the text, so that generating it again would change nothing.
 */
const cannotSpeak = (notice: string | null): boolean =>
  notice !== null && notice.includes(engineNotices.cannotSpeak)

/** Limits for missing words: this share of a segment, or this many in a row, is no transcription error. */
const maxMissing = { share: 0.08, run: 3, score: 0.5 }

/** Returns whether words are missing from a take, so that it is worth generating again. */
function isMissingText(take: TakeRecord): boolean {
  const { check } = take
  if (check?.state !== 'heard' || check.unsure || cannotSpeak(take.notice)) return false
  const { words, missing, longestMissing } = compareTranscript(take.text, check.heard)
  if (words === 0) return false
  return (
    missing / words > maxMissing.share ||
    longestMissing >= maxMissing.run ||
    check.score < maxMissing.score
  )
}
