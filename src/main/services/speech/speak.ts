import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { SpeechSettings } from '../../../shared/model/speech.ts'
import { spokenText } from '../../../shared/speech/split.ts'
import { AppError } from '../../errors.ts'
import type { NewTake, PieceRecord, TakeRecord } from '../../store/speech-types.ts'
import { fingerprintOf, mannerOf } from './fingerprint.ts'
import type { SpeakingParts } from './types.ts'

/** Makes a take of a piece: from one that was made of the same before, or by one call (service-notes 3). */
export type Speak = (
  piece: PieceRecord,
  settings: SpeechSettings,
  signal: AbortSignal,
) => Promise<NewTake>

/** Builds it. What it throws is the client's, or says that what came is no whole sound. */
export function createSpeak(parts: SpeakingParts): Speak {
  const { store, clock, ids } = parts
  const folder = join(parts.home, 'speech')
  return async (piece, settings, signal) => {
    const accountId = piece.accountId ?? parts.activeAccountId()
    const { voice } = settings
    const manner = mannerOf({ ...settings, accountId }, accountId)
    if (!voice || !manner) throw new AppError('BAD_REQUEST', 'No voice was chosen')
    const fingerprint = fingerprintOf(piece.text, manner)
    const about = {
      id: ids(),
      pieceId: piece.id,
      speechId: piece.speechId,
      text: piece.text,
      voice,
      speed: settings.speed,
      volume: settings.volume,
      watermark: settings.watermark,
      fingerprint,
      accountId,
    }
    const known = piece.fresh ? undefined : await reusable(parts, fingerprint)
    if (known) {
      const { mediaId, engine, notice, sound, accountName, check } = known
      return {
        ...about,
        mediaId,
        engine,
        notice,
        sound,
        accountName,
        check,
        reused: true,
        createdAt: clock(),
      }
    }
    const target = await parts.accounts.target(accountId)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const to = join(folder, `${about.id}.wav`)
    try {
      const { speed, volume, watermark } = settings
      const request = {
        input: spokenText(piece.text),
        voice: voice.id,
        speed,
        volume,
        watermark,
        to,
      }
      const answer = await parts.api.speech.create(
        target,
        { ...request, format: 'wav' },
        { signal },
      )
      const sound = await parts.spoken.look(to)
      const media = await keep(parts, to, `${about.id}.wav`)
      return {
        ...about,
        mediaId: media,
        sound,
        engine: answer.engine && parts.mask(answer.engine),
        notice: answer.notice && parts.mask(answer.notice),
        accountName: target.accountName,
        reused: false,
        check: null,
        createdAt: clock(),
      }
    } finally {
      await rm(to, { force: true })
    }
  }

  async function reusable(
    { files }: SpeakingParts,
    fingerprint: string,
  ): Promise<TakeRecord | undefined> {
    const known = store.speech.same(fingerprint)
    if (!known) return undefined
    const there = await files.path(known.mediaId).catch(() => null)
    return there === null ? undefined : known
  }
}

/** Takes a written file in as a kept one; its id. */
export async function keep(
  { files }: Pick<SpeakingParts, 'files'>,
  path: string,
  name: string,
  signal?: AbortSignal,
): Promise<string> {
  const { size } = await stat(path)
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
  return (await files.intake(body, name, size, signal)).id
}
