import {
  defaultSpeech,
  type Speech,
  type SpeechSegment,
  type SpeechSettings,
} from '../../../../../shared/model/speech.ts'
import { isSynthesized } from '../../../../../shared/voices/split.ts'
import { AppError } from '../../../../errors.ts'
import { takeView } from '../../store/speech-rows.ts'
import type { SegmentRecord, SpeechRecord, TakeRecord } from '../../store/speech-types.ts'
import { displayTitle } from '../../../../platform/text/display-title.ts'
import { createAnswers } from './answers.ts'
import { speakingStyleOf } from './fingerprint.ts'
import { createJoining } from './joining.ts'
import { createSpeechQueue } from './queue.ts'
import { createPlacing } from './segment-positions.ts'
import { createTurns } from './serial-work.ts'
import { breathe, eachRange } from './stepwise.ts'
import { titleOf } from './title.ts'
import type { SpeakingParts, SpeechService } from './types.ts'
import { segmentView, speechView } from './views.ts'

/** Rows that a request writes together: takes a few milliseconds. */
const rowsAtOnce = 500

/** Creates the narration service. */
export function createSpeech(deps: SpeakingParts): SpeechService {
  const { store, clock, ids } = deps
  const { speech: rows } = store
  const placing = createPlacing(deps)
  const inTurn = createTurns()
  /** Reports changed segments; null: they were replaced and must be read again. */
  const reportSegments = (id: string, segments: readonly SpeechSegment[] | null): void =>
    deps.emit({ type: 'speech.segments', id, segments })
  let tidied = false
  const joining = createJoining(deps, (id) => {
    if (notify(id)) deps.emit({ type: 'library.changed', itemIds: [id] })
  })
  const queue = createSpeechQueue({
    ...deps,
    restStateOf: ({ id, speechId }) => restOf(id, speechId),
    async rest(id, except) {
      await placing.restate(id, except)
      many(id)
    },
    onSegment(segment) {
      reportSegments(segment.speechId, [segmentView(segment)])
      speechEvents.soon(segment.speechId)
    },
    onMany: (id) => many(id),
    onSettled(id) {
      if (!notify(id)) return
      deps.emit({ type: 'library.changed', itemIds: [id] })
      // Everything is generated, so it is joined immediately. A failure is reported in the narration.
      const { done, pieces: total } = need(id).counts
      if (done === total && total > 0) void joining.join(id).catch(() => undefined)
    },
  })

  const need = (id: string): SpeechRecord => {
    const record = rows.get(id)
    if (!record) throw new AppError('NOT_FOUND', 'Narration not found')
    return record
  }
  const requireSegment = (id: string, segmentId: string): SegmentRecord => {
    const segment = rows.segment(segmentId)
    if (segment?.speechId !== id) throw new AppError('NOT_FOUND', 'Segment not found')
    return segment
  }
  const requireTake = (id: string, takeId: string): TakeRecord => {
    const take = rows.take(takeId)
    if (take?.speechId !== id) throw new AppError('NOT_FOUND', 'Take not found')
    return take
  }
  const viewOf = (record: SpeechRecord): Speech =>
    speechView(record, {
      ...joining.state(record.id),
      // Takes change rapidly during generation, so all of them are compared only afterwards.
      current: joining.isCurrent(record, record.counts.open === 0),
      held: queue.isHeld(record.settings.accountId ?? deps.activeAccountId()),
    })
  const notify = (id: string): Speech | null => {
    speechEvents.done(id)
    const record = rows.get(id)
    if (!record) return null
    const speech = viewOf(record)
    deps.emit({ type: 'speech.changed', speech })
    return speech
  }
  const speechEvents = createSpeechEvents(deps.after, notify)
  const many = (id: string): void => {
    reportSegments(id, null)
    notify(id)
  }
  const notifyChanged = (id: string): Speech => {
    const speech = notify(id) ?? viewOf(need(id))
    deps.emit({ type: 'library.changed', itemIds: [id] })
    return speech
  }
  const speakingStyle = (settings: SpeechSettings) =>
    speakingStyleOf(settings, deps.activeAccountId())
  const restOf = (segmentId: string, speechId: string) =>
    rows.restOf(segmentId, speakingStyle(rows.settings(speechId) ?? defaultSpeech))
  /** Returns the account of a narration. */
  const accountOf = (settings: SpeechSettings): string =>
    settings.accountId ?? deps.activeAccountId()

  const place = async (id: string, text: string): Promise<Speech> => {
    await placing.place(id, text)
    reportSegments(id, null)
    return notifyChanged(id)
  }
  const create: SpeechService['create'] = ({ title, text, settings }) => {
    const id = ids()
    const full: SpeechSettings = { ...defaultSpeech, ...defined(settings) }
    rows.create({ id, title: displayTitle(title ?? titleOf(text)), settings: full, at: clock() })
    return inTurn(id, () => place(id, text))
  }

  const forget = async (itemIds: readonly string[]): Promise<void> => {
    joining.stop(itemIds)
    for (const id of itemIds) if (rows.settings(id)) await inTurn(id, () => queue.stop(id))
  }
  /** Processes the named segments in batches. */
  const named = async (
    segmentIds: readonly string[],
    work: (some: readonly string[]) => void,
  ): Promise<void> => {
    for (let from = 0; from < segmentIds.length; from += rowsAtOnce) {
      if (from > 0) await breathe()
      work(segmentIds.slice(from, from + rowsAtOnce))
    }
  }

  return {
    create,
    get: (id) => viewOf(need(id)),
    segments(id, from, limit) {
      need(id)
      const found = rows.segments(id, from, limit + 1)
      return { segments: found.slice(0, limit).map(segmentView), more: found.length > limit }
    },
    setText: (id, text) =>
      inTurn(id, async () => {
        need(id)
        await queue.stop(id)
        return place(id, text)
      }),
    configure: ({ id, settings, split }) =>
      inTurn(id, async () => {
        rows.configure(id, { ...need(id).settings, ...defined(settings) }, clock())
        if (split) {
          await queue.stop(id)
          return place(id, await placing.textOf(id))
        }
        await placing.restate(id)
        reportSegments(id, null)
        return notifyChanged(id)
      }),
    editSegment: ({ id, segmentId, text }) =>
      inTurn(id, async () => {
        const segment = requireSegment(id, segmentId)
        if (text.trim() === '') {
          await queue.stop(id)
          rows.leave([segmentId])
          return place(id, await placing.textOf(id))
        }
        // The trailing white space stays, because it separates paragraphs.
        const space = /\s*$/u.exec(segment.text)?.[0] ?? ''
        const next = text.trimEnd() + (space || ' ')
        rows.editSegment(segmentId, next, isSynthesized(next), clock())
        const { state } = requireSegment(id, segmentId)
        if (/^(idle|done|stale)$/.test(state))
          rows.changeSegment(segmentId, { state: restOf(segmentId, id) })
        reportSegments(id, [segmentView(requireSegment(id, segmentId))])
        return notifyChanged(id)
      }),
    speak: (id, segmentIds) =>
      inTurn(id, async () => {
        const { settings } = need(id)
        if (!settings.voice) throw new AppError('BAD_REQUEST', 'No voice is selected')
        const accountId = accountOf(settings)
        for (const segmentId of segmentIds ?? []) requireSegment(id, segmentId)
        // A narration started under the active account stays with it, even if another account becomes active later.
        if (settings.accountId === null) rows.configure(id, { ...settings, accountId }, clock())
        let queued = 0
        if (segmentIds) await named(segmentIds, (some) => (queued += rows.enqueue(some, accountId)))
        else
          await eachRange(rowsAtOnce, (range) => {
            queued += rows.enqueueRemaining(id, accountId, range)
            return rows.hasPlace(id, range.upTo)
          })
        reportSegments(id, null)
        queue.pump(id, accountId)
        return { speech: notifyChanged(id), asked: queued }
      }),
    move: (id, accountId, voice) =>
      inTurn(id, async () => {
        const { settings } = need(id)
        if (rows.isSpeaking(id))
          throw new AppError('REFUSED', 'A segment is being generated', {
            params: { what: 'move' },
          })
        rows.configure(id, { ...settings, accountId, voice }, clock())
        await eachRange(rowsAtOnce, (range) => {
          rows.reassign(id, accountId, range)
          return rows.hasPlace(id, range.upTo)
        })
        await placing.restate(id)
        reportSegments(id, null)
        queue.pump(id, accountId)
        return notifyChanged(id)
      }),
    stop: (id) =>
      inTurn(id, async () => {
        need(id)
        joining.stop([id])
        await queue.stop(id)
        return notifyChanged(id)
      }),
    takes: (id, segmentId) => rows.takes(requireSegment(id, segmentId).id).map(takeView),
    choose(id, takeId) {
      const take = requireTake(id, takeId)
      rows.choose(take.segmentId, take.id)
      const chosen = rows.changeSegment(take.segmentId, { pinned: true })
      if (chosen && /^(done|stale|failed|idle)$/.test(chosen.state)) {
        const state = restOf(take.segmentId, id)
        const segment = rows.changeSegment(take.segmentId, { state, error: null })
        if (segment) reportSegments(id, [segmentView(segment)])
      }
      return notifyChanged(id)
    },
    favour(id, takeId, favourite) {
      const { segmentId } = requireTake(id, takeId)
      rows.favour(takeId, favourite)
      const segment = rows.segment(segmentId)
      if (segment) reportSegments(id, [segmentView(segment)])
      return takeView(requireTake(id, takeId))
    },
    check: (id, segmentIds) =>
      inTurn(id, async () => {
        const accountId = accountOf(need(id).settings)
        for (const segmentId of segmentIds) requireSegment(id, segmentId)
        await named(segmentIds, (some) => rows.enqueueCheck(some, accountId))
        reportSegments(id, null)
        queue.pump(id, accountId)
        return notifyChanged(id)
      }),
    async join(id) {
      await joining.join(id)
      return notifyChanged(id)
    },
    places: (id) => rows.places(id),
    export: async ({ id, format, language }, signal) => ({
      media: await joining.export(id, format, language, signal),
    }),
    async duplicate(id, title) {
      const { settings } = need(id)
      return create({ title, text: await placing.textOf(id), settings })
    },
    recentVoices: () => ({ voices: rows.recentVoices(8) }),
    resume() {
      const wanted = (segmentId: string): boolean => rows.segment(segmentId) !== undefined
      const failed = (error: unknown): void =>
        deps.log.error('failed to resume narrations', { error })
      const begin = async (): Promise<void> => {
        // Before anything is generated: existing files are from the previous run. Later they may belong to running work.
        if (!tidied) await createAnswers(deps.home).tidy(wanted).catch(failed)
        tidied = true
        await placing.resume(inTurn).catch(failed)
        await queue.resume()
      }
      begin().catch(failed)
    },
    accountReady: (accountId) => queue.wake(accountId),
    forget,
    stopAll: () => forget(rows.openSpeeches()),
    busy: () => joining.busy() || queue.busy(),
    async shutdown() {
      speechEvents.close()
      await queue.shutdown()
      await joining.close()
    },
  }
}

const defined = <T extends object>(fields: T | undefined): Partial<SpeechSettings> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined))

/** Reports the state of whole narrations at most a few times a second, because segments change more often. */
interface SpeechEvents {
  soon(id: string): void
  /** Marks it as reported just now. */
  done(id: string): void
  close(): void
}

/** Milliseconds within which changes are reported together. */
const gatherMs = 60

function createSpeechEvents(
  after: (ms: number, work: () => void) => () => void,
  notify: (id: string) => unknown,
): SpeechEvents {
  const due = new Set<string>()
  let cancel: (() => void) | null = null
  let closed = false
  const all = (): void => {
    cancel = null
    for (const id of due) notify(id)
    due.clear()
  }
  return {
    soon(id) {
      if (closed) return
      due.add(id)
      cancel ??= after(gatherMs, all)
    },
    done: (id) => void due.delete(id),
    close() {
      closed = true
      cancel?.()
      due.clear()
    },
  }
}
