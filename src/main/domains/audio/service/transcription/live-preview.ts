import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import type { Segment, Span } from '../../../../../shared/model/meeting.ts'
import type { Clock } from '../../../../deps.ts'
import type { OpenSpeech } from '../../../../platform/audio/voice-activity/segmenter.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { MeetingStore } from '../../store/meetings-types.ts'
import type { AudioWork } from '../audio-worker.ts'
import { checkText } from './hallucination-checks/checks.ts'
import { spokenText } from './speech-duration.ts'
import { transcribeOnce } from './transcription-request.ts'

/** Text of speech that has not ended. */
interface Preview extends Span {
  readonly text: string
}

/**
 * Transcribes speech before its segment ends, which may take half a minute: on this computer only, where it costs nothing, and
 * only while its engine has nothing else to do. Nothing of it is saved.
 */
interface LivePreview {
  /** Reports the speech of a channel that has not ended; called about once a second. */
  speech(id: string, channel: number, speech: OpenSpeech | null): void
  /** Reports segments of a live meeting: they end the previews, whose text stays until theirs is there. */
  found(id: string, segments: readonly Segment[]): void
  /** Ends the previews of a meeting. */
  end(id: string): void
  close(): void
}

interface LivePreviewDeps {
  readonly store: Pick<MeetingStore, 'get'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly api: Pick<Api, 'transcriptions'>
  readonly audio: Pick<AudioWork, 'extractSegment'>
  readonly clock: Clock
  mask(text: string): string
  /** Whether segments are being transcribed. */
  isBusy(): boolean
  onPreview(id: string, preview: { channel: number; startMs: number; text: string }): void
  onPartial(id: string, segmentId: string, text: string): void
}

/** Speech without a pause between sentences is transcribed again once this much was added, in milliseconds. */
const stepMs = 2_500
/** Pause after a failure, such as a missing speech model, in milliseconds. */
const failurePauseMs = 30_000

export function createLivePreview(deps: LivePreviewDeps): LivePreview {
  const meetings = new Map<string, Map<number, Preview>>()
  let running: { id: string; channel: number; stop: AbortController } | null = null
  let restUntil = 0

  const channelsOf = (id: string): Map<number, Preview> => {
    const channels = meetings.get(id) ?? new Map<number, Preview>()
    meetings.set(id, channels)
    return channels
  }
  const clear = (id: string, channel: number): void => {
    const preview = meetings.get(id)?.get(channel)
    if (!preview) return
    meetings.get(id)?.delete(channel)
    if (meetings.get(id)?.size === 0) meetings.delete(id)
    if (preview.text !== '') deps.onPreview(id, { channel, startMs: preview.startMs, text: '' })
  }
  const isWorthwhile = (speech: OpenSpeech, before: Preview | undefined): boolean => {
    const known = before?.startMs === speech.startMs ? before.endMs : speech.startMs
    return (speech.sentenceEndMs ?? 0) > known || speech.endMs - known >= stepMs
  }

  async function transcribe(
    id: string,
    channel: number,
    span: Span,
    signal: AbortSignal,
  ): Promise<string> {
    const target = await deps.accounts.target(localAccountId)
    const content = await deps.audio.extractSegment(id, channel, span)
    const file = {
      content,
      bytes: content.byteLength,
      name: 'audio.wav',
      mime: 'audio/wav' as const,
      seconds: (span.endMs - span.startMs) / 1000,
    }
    const hotwords = (deps.store.get(id)?.hotwords ?? []).slice(
      0,
      target.limits.transcription.hotwords,
    )
    const request = { file, prompt: '', hotwords, stream: false }
    const result = await transcribeOnce(deps.api, target, request, { signal, unlisted: true })
    const text = result.noSpeech ? '' : spokenText(result.text)
    const voicedMs = span.endMs - span.startMs
    return checkText({ text, prompt: '', hotwords, voicedMs }).length > 0 ? '' : deps.mask(text)
  }

  async function run(id: string, channel: number, { startMs, endMs }: Span): Promise<void> {
    const stop = new AbortController()
    running = { id, channel, stop }
    const begun = deps.clock()
    let failed = false
    try {
      const found = await transcribe(id, channel, { startMs, endMs }, stop.signal)
      // The segment may have ended meanwhile.
      if (stop.signal.aborted) return
      const before = meetings.get(id)?.get(channel)
      const text = found === '' && before?.startMs === startMs ? before.text : found
      channelsOf(id).set(channel, { startMs, endMs, text })
      if (text !== '') deps.onPreview(id, { channel, startMs, text })
    } catch {
      // The segment itself is transcribed anyway, and reports what prevents that.
      failed = !stop.signal.aborted
    } finally {
      running = null
      // The engine rests half as long as the preview took.
      const now = deps.clock()
      restUntil = now + (failed ? failurePauseMs : (now - begun) / 2)
    }
  }

  return {
    speech(id, channel, speech) {
      if (speech === null) {
        if (running?.id === id && running.channel === channel) running.stop.abort()
        return clear(id, channel)
      }
      const isFree = running === null && !deps.isBusy() && deps.clock() >= restUntil
      if (!isFree || deps.store.get(id)?.accountId !== localAccountId) return
      if (isWorthwhile(speech, meetings.get(id)?.get(channel))) void run(id, channel, speech)
    },
    found(id, segments) {
      // The engine takes one request at a time: segments come first, of whatever channel.
      if (segments.length > 0) running?.stop.abort()
      for (const { id: segmentId, channel, startMs, endMs } of segments) {
        const preview = meetings.get(id)?.get(channel)
        if (!preview || preview.startMs >= endMs || preview.endMs <= startMs) continue
        if (preview.text !== '') deps.onPartial(id, segmentId, preview.text)
        clear(id, channel)
      }
    },
    end(id) {
      if (running?.id === id) running.stop.abort()
      for (const channel of meetings.get(id)?.keys() ?? []) clear(id, channel)
    },
    close: () => running?.stop.abort(),
  }
}
