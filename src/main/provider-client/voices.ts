import { wireModel } from '../../shared/provider/profiles.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { isRecord } from './json.ts'
import { callJson } from './json-call.ts'
import { requireMaxRows, malformed, nameIn, recordsFrom, textIn } from './lenient.ts'
import { requireSome } from './request-limits.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

/** A voice (service-notes 3); official ones lack most fields. */
export interface Voice {
  /** ID of the voice. */
  readonly voice: string
  /** Display name; the ID if there is none. */
  readonly name: string
  /** `PRIVATE`, `OFFICIAL`, or any other received value; empty when missing. */
  readonly type: string
  readonly downloadUrl: string | null
  /** `YYYY-MM-DD HH:MM:SS` in the provider's time zone. */
  readonly createTime: string | null
}

/** Voices (service-notes 3). */
export interface VoicesApi {
  /**
   * `POST /paas/v4/voice/clone` (service-notes 3) for a sample uploaded with the purpose `voice-clone-input`. Not safe to
   * repeat. May take two minutes.
   */
  clone(
    target: ServiceTarget,
    request: {
      readonly voiceName: string
      /** Text of the preview. */
      readonly input: string
      /** ID of the uploaded sample. */
      readonly fileId: string
      /** Transcript of the sample. */
      readonly text?: string
    },
    options: CallOptions,
  ): Promise<
    Answered<{
      readonly voice: string
      /** File of the preview. Fetching it is not documented, unlike the list's `downloadUrl`. */
      readonly fileId: string | null
      readonly filePurpose: string | null
    }>
  >
  /** `GET /paas/v4/voice/list` (service-notes 3); `name` is a fuzzy search. */
  list(
    target: ServiceTarget,
    request: { readonly name?: string; readonly type?: 'PRIVATE' | 'OFFICIAL' },
    options: CallOptions,
  ): Promise<Answered<readonly Voice[]>>
  /** `POST /paas/v4/voice/delete`. */
  delete(
    target: ServiceTarget,
    request: { readonly voice: string },
    options: CallOptions,
  ): Promise<Answered<{ readonly voice: string; readonly updateTime: string | null }>>
}

/**
 * Maximum duration of a clone: the provider responds when it is done, and other clients allow this long (service-notes 3).
 */
const cloneMs = 120_000

/** Creates the endpoints of this family from the shared call parts. */
export function createVoices(parts: CallParts): VoicesApi {
  return {
    clone: (target, request, options) => clone(parts, target, request, options),
    list: (target, request, options) => list(parts, target, request, options),
    delete: (target, request, options) => remove(parts, target, request, options),
  }
}

const clone = async (
  parts: CallParts,
  ...[target, request, options]: Parameters<VoicesApi['clone']>
): ReturnType<VoicesApi['clone']> => {
  const { voiceName, input, fileId, text } = request
  requireSome('voice_name', voiceName)
  requireSome('input', input)
  requireSome('file_id', fileId)
  const model = wireModel(target.profile, 'gen-tts-clone')
  const { replyMs, idleMs } = parts.longCall
  return callJson(
    parts,
    target,
    {
      operation: 'voices.clone',
      model,
      repeat: 'creating',
      method: 'POST',
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
          fileId: textIn(json, 'file_id'),
          filePurpose: textIn(json, 'file_purpose'),
        }
      },
    },
    options,
  )
}

const list = async (
  parts: CallParts,
  ...[target, request, options]: Parameters<VoicesApi['list']>
): ReturnType<VoicesApi['list']> => {
  const { voiceName, voiceType } = target.profile.wire
  return callJson(
    parts,
    target,
    {
      operation: 'voices.list',
      model: null,
      repeat: 'safe',
      method: 'GET',
      path: '/paas/v4/voice/list',
      query: {
        ...(request.name && { [voiceName]: request.name }),
        ...(request.type && { [voiceType]: request.type }),
      },
      // The only operation that sends its ID as a header (service-notes 1).
      headers: (requestId) => ({ 'request-id': requestId }),
      timeouts: parts.shortCall,
      read: readVoices,
    },
    options,
  )
}

const remove = async (
  parts: CallParts,
  ...[target, request, options]: Parameters<VoicesApi['delete']>
): ReturnType<VoicesApi['delete']> => {
  requireSome('voice', request.voice)
  return callJson(
    parts,
    target,
    {
      operation: 'voices.delete',
      model: null,
      repeat: 'safe',
      method: 'POST',
      path: '/paas/v4/voice/delete',
      json: (requestId) => ({ voice: request.voice, request_id: requestId }),
      timeouts: parts.shortCall,
      read(json) {
        if (!isRecord(json)) throw malformed('no-voice')
        return {
          voice: textIn(json, 'voice') ?? request.voice,
          updateTime: textIn(json, 'update_time'),
        }
      },
    },
    options,
  )
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
