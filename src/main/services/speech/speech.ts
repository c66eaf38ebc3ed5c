import {
  usualSpeech,
  type PieceState,
  type Speech,
  type SpeechSettings,
} from '../../../shared/model/speech.ts'
import { isSpoken } from '../../../shared/speech/split.ts'
import { AppError } from '../../errors.ts'
import { takeView } from '../../store/speech-rows.ts'
import type { PieceRecord, PieceStand, SpeechRecord, TakeRecord } from '../../store/speech-types.ts'
import { displayTitle } from '../library/title.ts'
import { fingerprintOf, mannerOf } from './fingerprint.ts'
import { createJoining } from './joining.ts'
import { placePieces } from './pieces.ts'
import { createSpeechQueue } from './queue.ts'
import type { SpeakingParts, SpeechService } from './types.ts'
import { joinPrint, pieceView, speechView } from './views.ts'

/** Letters of a text that become its title. */
const titleLength = 60

/** Builds the use case over store, files and client. */
export function createSpeech(deps: SpeakingParts): SpeechService {
  const { store, clock, ids } = deps
  const { speech: rows } = store
  const joining = createJoining(deps, (id) => {
    if (tell(id)) deps.onLibrary([id])
  })
  const queue = createSpeechQueue({
    ...deps,
    restStateOf: (piece) => restOf(piece, need(piece.speechId).settings),
    rest(id, except) {
      restate(id, except)
      deps.onPieces(id, null)
      tell(id)
    },
    onPiece(piece) {
      deps.onPieces(piece.speechId, [pieceView(piece)])
      tell(piece.speechId)
    },
    onSettled(id) {
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
  const needPiece = (id: string, pieceId: string): PieceRecord => {
    const piece = rows.piece(pieceId)
    if (piece?.speechId !== id) throw new AppError('NOT_FOUND', 'There is no such piece')
    return piece
  }
  const needTake = (id: string, takeId: string): TakeRecord => {
    const take = rows.take(takeId)
    if (take?.speechId !== id) throw new AppError('NOT_FOUND', 'There is no such take')
    return take
  }
  const view = (id: string): Speech => {
    const record = need(id)
    const print = record.joined ? joinPrint(rows.stands(id), record.settings) : ''
    return speechView(record, print, joining.state(id))
  }
  const tell = (id: string): Speech | null => {
    if (!rows.get(id)) return null
    const speech = view(id)
    deps.onSpeech(speech)
    return speech
  }
  const told = (id: string): Speech => {
    const speech = tell(id) ?? view(id)
    deps.onLibrary([id])
    return speech
  }

  /** What a piece is when nothing is asked of it. */
  const restOf = (
    piece: Pick<PieceRecord, 'text' | 'pinned' | 'take'>,
    settings: SpeechSettings,
  ): 'done' | 'stale' | 'idle' => {
    const take = piece.take && rows.take(piece.take.id)
    if (!take) return 'idle'
    const stand = {
      text: piece.text,
      pinned: piece.pinned,
      fingerprint: take.fingerprint,
      takeText: take.text,
    }
    return isStale(stand, settings) ? 'stale' : 'done'
  }
  const isStale = (
    stand: Pick<PieceStand, 'text' | 'pinned' | 'fingerprint' | 'takeText'>,
    settings: SpeechSettings,
  ): boolean => {
    if (stand.takeText?.trim() !== stand.text.trim()) return true
    const manner = mannerOf(settings, deps.activeAccountId())
    // Without an account of its own, a speech is as it was spoken, whoever is active now.
    if (stand.pinned || !manner) return false
    return stand.fingerprint !== fingerprintOf(stand.text, manner)
  }
  /**
   * Marks what is stale now, and takes the mark from what is not any more. What is asked for stays so, or rests as well but for those in
   * `except`. All of it is one write: there are thousands of pieces.
   */
  const restate = (id: string, except?: ReadonlySet<string>): void => {
    const { settings } = need(id)
    const states = rows.stands(id).flatMap((stand): [string, PieceState][] => {
      const stays = isAsked(stand) ? !except || except.has(stand.id) : stand.state === 'failed'
      if (stays) return []
      const state = !isSpoken(stand.text)
        ? 'silent'
        : stand.fingerprint === null
          ? 'idle'
          : isStale(stand, settings)
            ? 'stale'
            : 'done'
      return state === stand.state ? [] : [[stand.id, state]]
    })
    if (states.length > 0) rows.settle(states)
  }

  const place = (id: string, text: string): void => {
    const { settings } = need(id)
    rows.place(
      id,
      placePieces(text, settings.pieceLength, [...rows.stands(id), ...rows.stands(id, true)], ids),
      clock(),
    )
    restate(id)
    deps.onPieces(id, null)
  }
  const textOf = (id: string): string =>
    rows
      .stands(id)
      .map(({ text }) => text)
      .join('')

  /** The pieces that are named, as they stand. Throws NOT_FOUND. */
  const named = (id: string, pieceIds: readonly string[]): readonly PieceStand[] => {
    const stands = new Map(rows.stands(id).map((stand) => [stand.id, stand]))
    return pieceIds.map((pieceId) => {
      const stand = stands.get(pieceId)
      if (!stand) throw new AppError('NOT_FOUND', 'There is no such piece')
      return stand
    })
  }

  const create: SpeechService['create'] = ({ title, text, settings }) => {
    const id = ids()
    const full: SpeechSettings = { ...usualSpeech, ...defined(settings) }
    store.transaction(() => {
      rows.create({ id, title: displayTitle(title ?? titleOf(text)), settings: full, at: clock() })
      place(id, text)
    })
    return told(id)
  }

  const forget = async (itemIds: readonly string[]): Promise<void> => {
    joining.stop(itemIds)
    for (const id of itemIds) if (rows.get(id)) await queue.stop(id)
  }

  return {
    create,
    get: view,
    pieces(id, from, limit) {
      need(id)
      const found = rows.pieces(id, from, limit + 1)
      return { pieces: found.slice(0, limit).map(pieceView), more: found.length > limit }
    },
    async setText(id, text) {
      await queue.stop(id)
      place(id, text)
      return told(id)
    },
    async configure({ id, settings, split }) {
      const full = { ...need(id).settings, ...defined(settings) }
      rows.configure(id, full, clock())
      if (split) {
        await queue.stop(id)
        place(id, textOf(id))
      } else {
        restate(id)
        deps.onPieces(id, null)
      }
      return told(id)
    },
    async editPiece({ id, pieceId, text }) {
      const piece = needPiece(id, pieceId)
      if (text.trim() === '') {
        await queue.stop(id)
        const rest = rows.stands(id).filter((stand) => stand.id !== pieceId)
        rows.place(id, rest, clock())
      } else {
        // The white space behind it stays: it parts paragraphs.
        const space = /\s*$/u.exec(piece.text)?.[0] ?? ''
        rows.editPiece(pieceId, text.trimEnd() + (space || ' '), clock())
      }
      restate(id)
      deps.onPieces(id, null)
      return told(id)
    },
    speak(id, pieceIds) {
      const { settings } = need(id)
      if (!settings.voice) throw new AppError('BAD_REQUEST', 'No voice was chosen')
      const accountId = settings.accountId ?? deps.activeAccountId()
      const wanted = pieceIds
        ? named(id, pieceIds)
        : rows.stands(id).filter(({ state }) => /^(idle|failed|stale)$/.test(state))
      const spoken = wanted.filter(
        ({ text, state }) => isSpoken(text) && !/^(queued|speaking)$/.test(state),
      )
      store.transaction(() => {
        // What was heard under the account that is active is of that account, also when another is active later.
        if (settings.accountId === null) rows.configure(id, { ...settings, accountId }, clock())
        const asked = spoken.map((piece) => piece.id)
        rows.wish(asked, accountId, pieceIds !== undefined)
      })
      deps.onPieces(id, null)
      queue.pump()
      return { speech: told(id), asked: spoken.length }
    },
    async stop(id) {
      need(id)
      joining.stop([id])
      await queue.stop(id)
      deps.onPieces(id, null)
      return told(id)
    },
    takes: (id, pieceId) => rows.takes(needPiece(id, pieceId).id).map(takeView),
    choose(id, takeId) {
      const take = needTake(id, takeId)
      rows.choose(take.pieceId, take.id)
      const chosen = rows.changePiece(take.pieceId, { pinned: true })
      if (chosen && /^(done|stale|failed|idle)$/.test(chosen.state)) {
        const piece = rows.changePiece(take.pieceId, {
          state: restOf(chosen, need(id).settings),
          error: null,
        })
        if (piece) deps.onPieces(id, [pieceView(piece)])
      }
      return told(id)
    },
    favour(id, takeId, favourite) {
      const { pieceId } = needTake(id, takeId)
      rows.favour(takeId, favourite)
      const piece = rows.piece(pieceId)
      if (piece) deps.onPieces(id, [pieceView(piece)])
      return takeView(needTake(id, takeId))
    },
    check(id, pieceIds) {
      const accountId = need(id).settings.accountId ?? deps.activeAccountId()
      named(id, pieceIds)
      rows.hear(pieceIds, accountId)
      deps.onPieces(id, null)
      queue.pump()
      return told(id)
    },
    async join(id) {
      await joining.join(id)
      return told(id)
    },
    export: async ({ id, format, language }, signal) => ({
      media: await joining.export(id, format, language, signal),
    }),
    duplicate(id, title) {
      const { settings } = need(id)
      return create({ title, text: textOf(id), settings })
    },
    recentVoices: () => ({ voices: rows.recentVoices(8) }),
    resume: () => queue.resume(),
    accountReady: (accountId) => queue.wake(accountId),
    forget,
    stopAll: () => forget(rows.openSpeeches()),
    busy: () => joining.busy() || rows.openCounts().open > rows.openCounts().waiting,
    async shutdown() {
      await queue.shutdown()
      await joining.close()
    },
  }
}

const isAsked = ({ state }: PieceStand): boolean => /^(queued|speaking|checking)$/.test(state)

/** The beginning of a text as its title. */
function titleOf(text: string): string {
  const first = /[^\s\p{P}][^\n]*/u.exec(text)?.[0].trim() ?? ''
  const short = Array.from(first).slice(0, titleLength).join('')
  return /[\p{L}\p{N}]/u.test(short) ? short : 'Speech'
}

const defined = <T extends object>(fields: T | undefined): Partial<SpeechSettings> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined))
