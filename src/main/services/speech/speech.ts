import { defaultSpeech, type Speech, type SpeechSettings } from '../../../shared/model/speech.ts'
import { isSynthesized } from '../../../shared/speech/split.ts'
import { AppError } from '../../errors.ts'
import { takeView } from '../../store/speech-rows.ts'
import type { SegmentRecord, SpeechRecord, TakeRecord } from '../../store/speech-types.ts'
import { displayTitle } from '../library/title.ts'
import { createAnswers } from './answers.ts'
import { speakingStyleOf } from './fingerprint.ts'
import { breathe, eachRange } from './stepwise.ts'
import { createJoining } from './joining.ts'
import { createPlacing } from './segment-positions.ts'
import { createSpeechQueue } from './queue.ts'
import { createSpeechEvents } from './speech-events.ts'
import { titleOf } from './title.ts'
import { createTurns } from './segment-scheduling.ts'
import type { SpeakingParts, SpeechService } from './types.ts'
import { segmentView, speechView } from './views.ts'

/** Rows that a wish writes in one go: some milliseconds. */
const rowsAtOnce = 500

/** Builds the use case over store, files and client. */
export function createSpeech(deps: SpeakingParts): SpeechService {
  const { store, clock, ids } = deps
  const { speech: rows } = store
  const placing = createPlacing(deps)
  const inTurn = createTurns()
  let tidied = false
  const joining = createJoining(deps, (id) => {
    if (tell(id)) deps.onLibrary([id])
  })
  const queue = createSpeechQueue({
    ...deps,
    restStateOf: ({ id, speechId }) => restOf(id, speechId),
    async rest(id, except) {
      await placing.restate(id, except)
      many(id)
    },
    onPiece(piece) {
      deps.onPieces(piece.speechId, [segmentView(piece)])
      telling.soon(piece.speechId)
    },
    onMany: (id) => many(id),
    onSettled(id) {
      if (!tell(id)) return
      deps.onLibrary([id])
      // All of it is there: it can be heard as one at once. A failure is told in the speech.
      const { done, pieces } = need(id).counts
      if (done === pieces && pieces > 0) void joining.join(id).catch(() => undefined)
    },
  })

  const need = (id: string): SpeechRecord => {
    const record = rows.get(id)
    if (!record) throw new AppError('NOT_FOUND', 'There is no such speech')
    return record
  }
  const requireSegment = (id: string, pieceId: string): SegmentRecord => {
    const piece = rows.piece(pieceId)
    if (piece?.speechId !== id) throw new AppError('NOT_FOUND', 'There is no such piece')
    return piece
  }
  const requireTake = (id: string, takeId: string): TakeRecord => {
    const take = rows.take(takeId)
    if (take?.speechId !== id) throw new AppError('NOT_FOUND', 'There is no such take')
    return take
  }
  const viewOf = (record: SpeechRecord): Speech =>
    speechView(record, {
      ...joining.state(record.id),
      // While it is spoken, takes follow each other: all of them are compared once that is over.
      current: joining.isCurrent(record, record.counts.open === 0),
      held: queue.isHeld(record.settings.accountId ?? deps.activeAccountId()),
    })
  const tell = (id: string): Speech | null => {
    telling.done(id)
    const record = rows.get(id)
    if (!record) return null
    const speech = viewOf(record)
    deps.onSpeech(speech)
    return speech
  }
  const telling = createSpeechEvents(deps.after, tell)
  const many = (id: string): void => {
    deps.onPieces(id, null)
    tell(id)
  }
  const told = (id: string): Speech => {
    const speech = tell(id) ?? viewOf(need(id))
    deps.onLibrary([id])
    return speech
  }
  const speakingStyle = (settings: SpeechSettings) =>
    speakingStyleOf(settings, deps.activeAccountId())
  const restOf = (pieceId: string, speechId: string) =>
    rows.restOf(pieceId, speakingStyle(rows.settings(speechId) ?? defaultSpeech))
  /** The account that a speech is asked of. */
  const askedOf = (settings: SpeechSettings): string => settings.accountId ?? deps.activeAccountId()

  const place = async (id: string, text: string): Promise<Speech> => {
    await placing.place(id, text)
    deps.onPieces(id, null)
    return told(id)
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
  /** Goes through pieces that were named, some at a time. */
  const named = async (
    pieceIds: readonly string[],
    work: (some: readonly string[]) => void,
  ): Promise<void> => {
    for (let from = 0; from < pieceIds.length; from += rowsAtOnce) {
      if (from > 0) await breathe()
      work(pieceIds.slice(from, from + rowsAtOnce))
    }
  }

  return {
    create,
    get: (id) => viewOf(need(id)),
    pieces(id, from, limit) {
      need(id)
      const found = rows.pieces(id, from, limit + 1)
      return { pieces: found.slice(0, limit).map(segmentView), more: found.length > limit }
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
        deps.onPieces(id, null)
        return told(id)
      }),
    editPiece: ({ id, pieceId, text }) =>
      inTurn(id, async () => {
        const piece = requireSegment(id, pieceId)
        if (text.trim() === '') {
          await queue.stop(id)
          rows.leave([pieceId])
          return place(id, await placing.textOf(id))
        }
        // The white space behind it stays: it parts paragraphs.
        const space = /\s*$/u.exec(piece.text)?.[0] ?? ''
        const next = text.trimEnd() + (space || ' ')
        rows.editPiece(pieceId, next, isSynthesized(next), clock())
        const { state } = requireSegment(id, pieceId)
        if (/^(idle|done|stale)$/.test(state))
          rows.changePiece(pieceId, { state: restOf(pieceId, id) })
        deps.onPieces(id, [segmentView(requireSegment(id, pieceId))])
        return told(id)
      }),
    speak: (id, pieceIds) =>
      inTurn(id, async () => {
        const { settings } = need(id)
        if (!settings.voice) throw new AppError('BAD_REQUEST', 'No voice was chosen')
        const accountId = askedOf(settings)
        for (const pieceId of pieceIds ?? []) requireSegment(id, pieceId)
        // What was heard under the account that is active is of that account, also when another is active later.
        if (settings.accountId === null) rows.configure(id, { ...settings, accountId }, clock())
        let asked = 0
        if (pieceIds) await named(pieceIds, (some) => (asked += rows.wish(some, accountId)))
        else
          await eachRange(rowsAtOnce, (range) => {
            asked += rows.wishRest(id, accountId, range)
            return rows.hasPlace(id, range.upTo)
          })
        deps.onPieces(id, null)
        queue.pump(accountId)
        return { speech: told(id), asked }
      }),
    move: (id, accountId, voice) =>
      inTurn(id, async () => {
        const { settings } = need(id)
        if (rows.isSpeaking(id))
          throw new AppError('REFUSED', 'A piece is being spoken', { params: { what: 'move' } })
        rows.configure(id, { ...settings, accountId, voice }, clock())
        await eachRange(rowsAtOnce, (range) => {
          rows.reassign(id, accountId, range)
          return rows.hasPlace(id, range.upTo)
        })
        await placing.restate(id)
        deps.onPieces(id, null)
        queue.pump(accountId)
        return told(id)
      }),
    stop: (id) =>
      inTurn(id, async () => {
        need(id)
        joining.stop([id])
        await queue.stop(id)
        return told(id)
      }),
    takes: (id, pieceId) => rows.takes(requireSegment(id, pieceId).id).map(takeView),
    choose(id, takeId) {
      const take = requireTake(id, takeId)
      rows.choose(take.pieceId, take.id)
      const chosen = rows.changePiece(take.pieceId, { pinned: true })
      if (chosen && /^(done|stale|failed|idle)$/.test(chosen.state)) {
        const state = restOf(take.pieceId, id)
        const piece = rows.changePiece(take.pieceId, { state, error: null })
        if (piece) deps.onPieces(id, [segmentView(piece)])
      }
      return told(id)
    },
    favour(id, takeId, favourite) {
      const { pieceId } = requireTake(id, takeId)
      rows.favour(takeId, favourite)
      const piece = rows.piece(pieceId)
      if (piece) deps.onPieces(id, [segmentView(piece)])
      return takeView(requireTake(id, takeId))
    },
    check: (id, pieceIds) =>
      inTurn(id, async () => {
        const accountId = askedOf(need(id).settings)
        for (const pieceId of pieceIds) requireSegment(id, pieceId)
        await named(pieceIds, (some) => rows.hear(some, accountId))
        deps.onPieces(id, null)
        queue.pump(accountId)
        return told(id)
      }),
    async join(id) {
      await joining.join(id)
      return told(id)
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
      const wanted = (pieceId: string): boolean => rows.piece(pieceId) !== undefined
      const begin = async (): Promise<void> => {
        // Before anything is spoken: what lies there is of the run before. Later it is of what is under way.
        if (!tidied) await createAnswers(deps.home).tidy(wanted)
        tidied = true
        await placing.resume(inTurn)
        queue.resume()
      }
      begin().catch((error: unknown) => deps.log.error('speeches were not taken up', { error }))
    },
    accountReady: (accountId) => queue.wake(accountId),
    forget,
    stopAll: () => forget(rows.openSpeeches()),
    busy: () => joining.busy() || queue.busy(),
    async shutdown() {
      telling.close()
      await queue.shutdown()
      await joining.close()
    },
  }
}

const defined = <T extends object>(fields: T | undefined): Partial<SpeechSettings> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined))
