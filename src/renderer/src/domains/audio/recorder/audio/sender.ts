import { createBacklog } from './backlog.ts'
import { createDelivery, type PutAudio } from './delivery.ts'
import type { RecorderMessage, SenderMessage } from './messages.ts'
import { createTimekeeper } from './timekeeper.ts'

/** Dependencies of a sender. */
interface SenderParts {
  readonly channels: number
  readonly sampleRate: number
  readonly put: PutAudio
  wait(ms: number): Promise<void>
  post(message: SenderMessage): void
  /** Seconds of audio that are buffered while main is unreachable; ten minutes when absent. */
  readonly keepSeconds?: number
}

/** Places the worklet's blocks on the meeting's timeline and sends them to main; buffers what is not written yet. */
interface Sender {
  /** Handles a message of the worklet; `steadyMs` is a monotonic clock, read when the message was received. */
  take(message: RecorderMessage, steadyMs: number): void
}

type AudioBlock = Extract<RecorderMessage, { type: 'block' }>

const defaultRetentionSeconds = 600
/** Seconds of audio per request when there is more to send. */
const batchSeconds = 5
/** A longer sleep is omitted from the timeline: hours of a closed computer are not recorded. */
const maxSleepMs = 30 * 60_000
/** Reported threshold of a wrong sample rate: 44.1 kHz mistaken for 48 kHz is off by 0.08. */
const wrongPace = 0.06

export function createSender(parts: SenderParts): Sender {
  const { channels, sampleRate, post } = parts
  const clock = createTimekeeper(sampleRate)
  const backlog = createBacklog({
    channels,
    capacity: (parts.keepSeconds ?? defaultRetentionSeconds) * sampleRate,
    batch: batchSeconds * sampleRate,
  })
  const delivery = createDelivery({
    backlog,
    put: parts.put,
    wait: parts.wait,
    onChange: () => {
      progress()
      finish()
    },
    onLost: (frame, endFrame) => post({ type: 'gap', frame, endFrame, reason: 'lost' }),
  })
  /** Frames of filled gaps: the difference between the timeline and the worklet's count. */
  let shift = 0
  /** Current position on the timeline. */
  let position = 0
  const held: AudioBlock[] = []
  /** Frame from which audio was dropped because the memory limit was reached. */
  let droppedFrom: number | null = null
  let wrongRate = false
  let ended = false
  let over = false

  function progress(): void {
    const state = delivery.state === 'full' || droppedFrom === null ? delivery.state : 'overload'
    post({
      type: 'progress',
      recorded: position,
      written: delivery.written,
      state,
      driftPpm: clock.driftPpm(),
    })
  }
  function finish(): void {
    if (over || !ended || (backlog.frames > 0 && delivery.state !== 'full')) return
    over = true
    post({ type: 'done', frames: position, written: delivery.written })
  }
  const gap = (
    frame: number,
    endFrame: number,
    reason: 'suspended' | 'overload' | 'lost',
  ): void => {
    if (endFrame > frame) post({ type: 'gap', frame, endFrame, reason })
  }
  const keep = (frame: number, samples: Int16Array): void => {
    // Requires room for a whole batch before audio is accepted again: many small gaps would be worse than one.
    const open = droppedFrom === null || backlog.room >= batchSeconds * sampleRate
    if (!open || !backlog.add(frame, samples)) {
      droppedFrom ??= frame
      return
    }
    if (droppedFrom !== null) gap(droppedFrom, frame, 'overload')
    droppedFrom = null
  }
  const place = (block: AudioBlock): void => {
    const frame = block.frame + shift
    gap(position, frame, 'lost')
    position = frame + block.samples.length / channels
    if (delivery.state !== 'full') keep(frame, block.samples)
  }
  const decided = (gapMs: number): void => {
    if (gapMs > maxSleepMs) post({ type: 'slept', ms: gapMs })
    else if (gapMs > 0) {
      const frames = Math.round((gapMs * sampleRate) / 1000)
      gap(position, position + frames, 'suspended')
      shift += frames
      position += frames
    }
    for (const block of held.splice(0)) place(block)
  }
  const watchPace = (): void => {
    const error = clock.paceError()
    if (error === null) return
    const wrong = Math.abs(error) > wrongPace
    if (wrong !== wrongRate)
      post({ type: 'wrong-rate', ppm: wrong ? Math.round(error * 1_000_000) : 0 })
    wrongRate = wrong
  }
  const receiveBlock = (block: AudioBlock, steadyMs: number): void => {
    const frames = block.samples.length / channels
    const { hold, gapMs } = clock.take({ frames, wallMs: block.wallMs, steadyMs })
    if (hold || gapMs !== null) held.push(block)
    else place(block)
    if (gapMs !== null) decided(gapMs)
    watchPace()
  }
  const end = (): void => {
    ended = true
    if (droppedFrom === null) return
    // One silent frame at the end makes main fill what was dropped before it.
    gap(droppedFrom, position, 'overload')
    droppedFrom = null
    backlog.forget(position)
    backlog.add(position - 1, new Int16Array(channels))
  }
  return {
    take(message, steadyMs) {
      if (message.type === 'block') receiveBlock(message, steadyMs)
      else {
        decided(clock.settle())
        clock.restart()
        if (message.type === 'ended') end()
        else post({ type: message.type, frame: message.frame + shift })
      }
      progress()
      delivery.nudge()
      finish()
    },
  }
}
