import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { SpeechSettings } from '../../../../../shared/model/speech.ts'
import { spokenText } from '../../../../../shared/voices/split.ts'
import { AppError, asNotOffered } from '../../../../errors.ts'
import type { NewTake, SegmentRecord, TakeRecord } from '../../store/speech-types.ts'
import { createAnswers } from './answers.ts'
import { fingerprintOf, speakingStyleOf } from './fingerprint.ts'
import type { SpeakingParts } from './types.ts'

/** Take, with a callback to run after it was stored in the database. */
interface SynthesizedTake {
  readonly take: NewTake
  markSaved(): Promise<void>
}

/**
 * Creates a take of a segment: from an earlier one with the same fingerprint, or with one request (service-notes 3).
 */
type Speak = (
  segment: SegmentRecord,
  settings: SpeechSettings,
  signal: AbortSignal,
) => Promise<SynthesizedTake>

/** Creates the function. It throws client errors, or an error that the received audio is not complete. */
export function createSpeak(parts: SpeakingParts): Speak {
  const { store, clock, ids } = parts
  const answers = createAnswers(parts.home)
  return async (segment, settings, signal) => {
    const accountId = segment.accountId ?? parts.activeAccountId()
    const { voice } = settings
    const speakingStyle = speakingStyleOf({ ...settings, accountId }, accountId)
    if (!voice || !speakingStyle) throw new AppError('BAD_REQUEST', 'No voice is selected')
    const fingerprint = fingerprintOf(segment.text, speakingStyle)
    const about = {
      id: ids(),
      segmentId: segment.id,
      speechId: segment.speechId,
      text: segment.text,
      voice,
      speed: settings.speed,
      volume: settings.volume,
      watermark: settings.watermark,
      fingerprint,
      accountId,
    }
    const known = segment.fresh ? undefined : await reusable(parts, fingerprint)
    if (known) {
      const { mediaId, engine, notice, sound: audio, accountName, check } = known
      const of = { mediaId, engine, notice, sound: audio, accountName, check }
      const take = { ...about, ...of, reused: true, createdAt: clock() }
      return { take, markSaved: async () => {} }
    }
    const target = await parts.accounts.target(accountId)
    const answer = answers.of(segment, fingerprint)
    // Reuses audio that was received and paid for before a crash.
    const reply =
      (await answer.there()) ??
      (await answer.come(async (to) => {
        const { speed, volume, watermark } = settings
        const request = {
          input: spokenText(segment.text),
          voice: voice.id,
          speed,
          volume,
          watermark,
        }
        const options = { ...request, format: 'wav', to } as const
        return parts.api.speech.create(target, options, { signal }).catch((error: unknown) => {
          throw asNotOffered(error, 'textToSpeech')
        })
      }))
    const audio = await parts.spoken.inspect(answer.path).catch(async (error: unknown) => {
      // Invalid audio is not saved for the next attempt; a worker that stopped proves nothing about it.
      if (!(error instanceof AppError) || error.code !== 'ENGINE_UNAVAILABLE') await answer.drop()
      throw error
    })
    const take = {
      ...about,
      mediaId: await keep(parts, answer.path, `${about.id}.wav`),
      sound: audio,
      engine: reply.engine && parts.mask(reply.engine),
      notice: reply.notice && parts.mask(reply.notice),
      accountName: target.accountName,
      reused: false,
      check: null,
      createdAt: clock(),
    }
    return { take, markSaved: () => answer.drop() }
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

/** Imports a written file as media and returns its ID. */
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
