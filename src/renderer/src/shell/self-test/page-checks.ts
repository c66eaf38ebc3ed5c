import type { PageCheckRequest } from '../../../../shared/contract/selfTest.ts'
import { checks, type CheckOutcome, type PageCheckId } from '../../../../shared/self-test/checks.ts'
import { largeBlock, largeHashes } from '../../../../shared/self-test/large-file.ts'
import type { NoteId } from '../../../../shared/self-test/messages.ts'
import type { Client } from '../../lib/bridge/client.ts'
import type { readMedia, readMediaRange } from '../../lib/bridge/read-media.ts'
import type { uploadForSelfTest } from '../../lib/bridge/upload.ts'
import {
  listMicrophones,
  openMicrophone,
  openSystemAudio,
  SourceError,
  type Devices,
} from '../../domains/audio/recorder/audio/sources.ts'

/** Drawing context of a canvas. */
type Surface = Pick<
  CanvasRenderingContext2D,
  'fillRect' | 'fillStyle' | 'font' | 'textBaseline' | 'fillText' | 'getImageData' | 'clearRect'
>

/** The page's environment for the checks; tests replace it with a broken one. */
export interface PageWorld {
  readonly host: 'electron' | 'loopback'
  readonly client: Pick<Client, 'request' | 'mediaUrl'>
  readonly upload: typeof uploadForSelfTest
  readonly read: typeof readMedia
  readonly readRange: typeof readMediaRange
  /** Null where the page must not use devices at all. */
  readonly devices: Devices | null
  /** Returns the maximum sample of audio within this many milliseconds, 0 to 1. */
  listen(stream: MediaStream, ms: number): Promise<number>
  /** Plays a quiet tone until the returned function is called. */
  playTone(): () => void
  /** `granted`, `denied`, `prompt`. */
  microphonePermission(): Promise<string>
  /** Returns a square surface of this size in pixels; null when the browser provides none. */
  surface(size: number): Surface | null
  hasWebgl(): boolean
  /** Returns the duration in seconds of audio at a URL, and its peak. */
  decode(url: string): Promise<{ readonly seconds: number; readonly peak: number }>
  /** Whether the page can create code from text, which its policy forbids. */
  makesCode(): boolean
  /** Globals that must not exist in a page. */
  readonly globals: Readonly<Record<string, unknown>>
  now(): number
}

const pass = (note: NoteId = 'works', values?: CheckOutcome['values']): CheckOutcome => ({
  result: 'pass',
  note,
  ...(values && { values }),
})
const fail = (note: NoteId, values?: CheckOutcome['values']): CheckOutcome => ({
  result: 'fail',
  note,
  ...(values && { values }),
})
const unavailable = (note: NoteId): CheckOutcome => ({ result: 'unavailable', note })

/** Runs a check of the page. Never rejects: a thrown error is a failure, reported by its name only. */
export async function runPageCheck(ask: PageCheckRequest, world: PageWorld): Promise<CheckOutcome> {
  try {
    return await pageChecks[ask.check](world, ask.mediaId)
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    return fail('broke', { code: /^\w{1,40}$/.test(name) ? name : 'Error' })
  }
}

/** Globals that only Node has. */
const forbidden = ['require', 'process', 'module', 'Buffer'] as const
/**
 * Number of blocks of the file that a page uploads. Files on disk are uploaded this way in a browser; in Lectern's own
 * window only content that was pasted or created there, which is small.
 */
const uploaded = { electron: 32, loopback: 500 } as const
/** The sample that the media checks read: a WAV file of two seconds, 48 kHz, 16 bit, mono. */
const sample = { bytes: 44 + 2 * 48_000 * 2, seconds: 2 } as const

const pageChecks: Readonly<
  Record<PageCheckId, (world: PageWorld, mediaId: string) => Promise<CheckOutcome>>
> = {
  async page({ client, now }) {
    const from = now()
    const reply = await client.request('app.info', {})
    if (!reply.ok) return fail('broke', { code: reply.error.code })
    return pass('answers', { time: Math.max(1, Math.round(now() - from)) })
  },

  async 'computer-sound'({ host, devices, listen, playTone }) {
    if (host === 'loopback') return unavailable('asksEachTime')
    if (!devices) return fail('denied')
    try {
      const stream = await openSystemAudio(devices)
      const stopTone = playTone()
      const peak = await listen(stream, 1500)
      stopTone()
      const [track] = stream.getAudioTracks()
      const isLive = track?.readyState === 'live'
      track?.stop()
      // Without the system's permission, the track ends at once or is silent.
      if (!isLive) return fail('silent')
      return peak > 0 ? pass() : fail('toneNotDetected')
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (error.problem === 'no-audio') return fail('silent')
      return error.problem === 'cancelled' ? fail('denied') : unavailable('notOffered')
    }
  },

  async isolation({ globals, makesCode }) {
    const name = forbidden.find((each) => globals[each] !== undefined)
    if (name !== undefined) return fail('exposed', { name })
    return makesCode() ? fail('exposed', { name: 'eval' }) : pass()
  },

  async graphics({ surface, hasWebgl }) {
    const canvas = surface(4)
    if (!canvas) return fail('wrongResult')
    canvas.fillStyle = '#1e90ff'
    canvas.fillRect(0, 0, 4, 4)
    const [red, green, blue, alpha] = canvas.getImageData(1, 1, 1, 1).data
    const isDrawn = red === 0x1e && green === 0x90 && blue === 0xff && alpha === 255
    if (!isDrawn) return fail('wrongResult')
    return pass(hasWebgl() ? 'withWebgl' : 'withoutWebgl')
  },

  async fonts({ surface }) {
    const canvas = surface(48)
    if (!canvas) return fail('wrongResult')
    // A font without these characters draws the same box for each of them.
    const drawn = ['汉', '语', '録'].map((character) => {
      canvas.clearRect(0, 0, 48, 48)
      canvas.fillStyle = '#000'
      canvas.font = '32px system-ui, sans-serif'
      canvas.textBaseline = 'top'
      canvas.fillText(character, 4, 4)
      return canvas.getImageData(0, 0, 48, 48).data.join()
    })
    const isEmpty = drawn.some((pixels) => !/[1-9]/.test(pixels))
    return isEmpty || new Set(drawn).size < drawn.length ? fail('glyphsMissing') : pass()
  },

  async media({ client, read, readRange }, mediaId) {
    const url = client.mediaUrl(mediaId)
    const { signal } = new AbortController()
    const part = await readRange(url, 1000, 1100, signal)
    const whole = new Uint8Array((await read(url, 0, signal)) ?? [])
    const isRight =
      part !== null &&
      whole.length === sample.bytes &&
      part.every((byte, at) => byte === whole[1000 + at])
    return isRight ? pass() : fail('wrongResult')
  },

  async playback({ client, decode }, mediaId) {
    const { seconds, peak } = await decode(client.mediaUrl(mediaId))
    return Math.abs(seconds - sample.seconds) < 0.1 && peak > 0.1 ? pass() : fail('wrongResult')
  },

  async upload({ host, upload, now }) {
    const size = uploaded[host]
    const block = largeBlock()
    const file = new File(
      Array.from({ length: size }, () => block),
      'self-test.bin',
    )
    const from = now()
    // A late upload would continue and slow down every later check.
    const reply = await upload(file, { signal: AbortSignal.timeout(checks.upload.limitMs) })
    if (!reply.ok) return fail('broke', { code: reply.error.code })
    if (reply.data.media.sha256 !== largeHashes[size]) return fail('wrongResult')
    const seconds = Math.round((now() - from) / 100) / 10
    return pass('moved', { size, seconds })
  },

  async microphone({ client, devices, listen, microphonePermission }) {
    const permission = await microphonePermission()
    if (!devices || permission === 'denied') return fail('denied')
    const count = (await listMicrophones(devices)).length
    if (count === 0) return unavailable('noMicrophone')
    const system = await client.request('system.microphone', {})
    const isUndecided = system.ok && system.data.access === 'undecided'
    // An automatic check must not prompt the user.
    if (permission !== 'granted' || isUndecided) return pass('devices', { count })
    try {
      const stream = await openMicrophone(devices, '', 'headset')
      const peak = await listen(stream, 1000)
      for (const track of stream.getTracks()) track.stop()
      // A room is never completely silent: only zeros mean that the microphone does not work.
      return peak > 0 ? pass('devices', { count }) : fail('microphoneSilent')
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      return fail(error.problem === 'denied' ? 'denied' : 'microphoneBusy')
    }
  },
}
