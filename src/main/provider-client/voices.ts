import { wireModel } from '../../shared/provider/profiles.ts'
import type { CallParts } from './call.ts'
import { isRecord } from './json.ts'
import { endpointsOf } from './json-call.ts'
import { requireMaxRows, malformed, nameIn, recordsFrom, textIn } from './lenient.ts'
import { requireSome } from './request-limits.ts'

/** A voice (service-notes 3); official ones lack most fields. */
interface Voice {
  readonly voice: string
  /** Display name; the ID if there is none. */
  readonly name: string
  /** `PRIVATE`, `OFFICIAL`, or any other received value; empty when missing. */
  readonly type: string
  readonly downloadUrl: string | null
  /** `YYYY-MM-DD HH:MM:SS` in the provider's time zone. */
  readonly createTime: string | null
}

/**
 * Maximum duration of a clone: the provider responds when it is done, and other clients allow this long (service-notes 3).
 */
const cloneMs = 120_000

/** Voices (service-notes 3). */
export type VoicesApi = ReturnType<typeof createVoices>

export function createVoices(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  const { replyMs, idleMs } = parts.longCall

  return {
    /**
     * `POST /paas/v4/voice/clone` (service-notes 3) for a sample uploaded with the purpose `voice-clone-input`. Not safe to
     * repeat. May take two minutes.
     */
    clone: endpoint(
      'voices.clone',
      (
        request: {
          readonly voiceName: string
          /** Text of the preview. */
          readonly input: string
          /** ID of the uploaded sample. */
          readonly fileId: string
          /** Transcript of the sample. */
          readonly text?: string
        },
        target,
      ) => {
        const { voiceName, input, fileId, text } = request
        requireSome('voice_name', voiceName)
        requireSome('input', input)
        requireSome('file_id', fileId)
        const model = wireModel(target.profile, 'gen-tts-clone')
        return {
          model,
          repeat: 'creating',
          path: '/paas/v4/voice/clone',
          json: (requestId) => ({
            model,
            voice_name: voiceName,
            input,
            file_id: fileId,
            ...(text !== undefined && { text }),
            request_id: requestId,
          }),
          timeouts: { replyMs: Math.min(replyMs, cloneMs), idleMs },
          read(json) {
            const voice = isRecord(json) ? textIn(json, 'voice') : null
            if (!isRecord(json) || voice === null) throw malformed('no-voice')
            return {
              voice,
              /** File of the preview. Fetching it is not documented, unlike the list's `downloadUrl`. */
              fileId: textIn(json, 'file_id'),
              filePurpose: textIn(json, 'file_purpose'),
            }
          },
        }
      },
    ),
    /** `GET /paas/v4/voice/list` (service-notes 3); `name` is a fuzzy search. */
    list: endpoint(
      'voices.list',
      (
        request: { readonly name?: string; readonly type?: 'PRIVATE' | 'OFFICIAL' },
        { profile: { wire } },
      ) => ({
        path: '/paas/v4/voice/list',
        query: {
          ...(request.name && { [wire.voiceName]: request.name }),
          ...(request.type && { [wire.voiceType]: request.type }),
        },
        // The only operation that sends its ID as a header (service-notes 1).
        headers: (requestId) => ({ 'request-id': requestId }),
        read: readVoices,
      }),
    ),
    /** `POST /paas/v4/voice/delete`. */
    delete: endpoint('voices.delete', ({ voice }: { readonly voice: string }) => {
      requireSome('voice', voice)
      return {
        path: '/paas/v4/voice/delete',
        json: (requestId) => ({ voice, request_id: requestId }),
        read(json) {
          if (!isRecord(json)) throw malformed('no-voice')
          return {
            voice: textIn(json, 'voice') ?? voice,
            updateTime: textIn(json, 'update_time'),
          }
        },
      }
    }),
  }
}

/** Maximum number of voices in a list, which has no pages. */
const maxVoices = 10_000

/**
 * Reads `voice_list` (service-notes 3). A row without an ID is identified by its name; one without either is omitted.
 */
function readVoices(json: unknown): readonly Voice[] {
  const rows = isRecord(json) ? json['voice_list'] : json
  if (rows === undefined || (rows !== null && typeof rows !== 'object')) throw malformed('no-list')
  return requireMaxRows(recordsFrom(rows), maxVoices).flatMap((row) => {
    const name = nameIn(row, 'voice_name')
    const voice = textIn(row, 'voice') ?? name
    if (voice === null) return []
    return [
      {
        voice,
        name: name ?? voice,
        type: textIn(row, 'voice_type') ?? '',
        downloadUrl: textIn(row, 'download_url'),
        createTime: textIn(row, 'create_time'),
      },
    ]
  })
}
