import type { CaptureReply } from '../../../../../../shared/contract/transport.ts'
import type { Backlog } from './backlog.ts'
import type { SendingState } from './messages.ts'

/** Outcome of sending one block: main's reply, main unreachable, or main's refusal. */
export type PutOutcome =
  | { readonly type: 'answer'; readonly reply: CaptureReply }
  | { readonly type: 'away' | 'refused' }

/** Sends one block to main; `fill` requests silence up to its frame first. Never rejects. */
export type PutAudio = (
  frame: number,
  fill: boolean,
  samples: Int16Array<ArrayBuffer>,
) => Promise<PutOutcome>

/** Sends a backlog to main, one block in flight, until main has confirmed it. */
interface Delivery {
  /** Called when there is something to send. */
  nudge(): void
  /** Number of frames that main has written. */
  readonly written: number
  readonly state: Exclude<SendingState, 'overload'>
}

/** Returns the delay before the n-th consecutive retry, in ms. */
export const retryPauseMs = (tries: number): number => Math.min(10_000, 250 * 2 ** (tries - 1))

/** Creates the delivery. `wait` resolves after this many ms, or earlier when a retry is promising. */
export function createDelivery(parts: {
  readonly backlog: Backlog
  readonly put: PutAudio
  wait(ms: number): Promise<void>
  /** Called when frames were confirmed or the state changed. */
  onChange(): void
  /** Called when main has less than it had confirmed, and no copy of the missing frames exists. */
  onLost(frame: number, endFrame: number): void
}): Delivery {
  const { backlog } = parts
  let written = 0
  let state: Delivery['state'] = 'ok'
  let sending = false

  const settle = (frame: number, { frames, full }: CaptureReply): boolean => {
    const moved = frames !== written
    if (frames < written && frames < frame) parts.onLost(frames, frame)
    written = frames
    backlog.forget(frames)
    state = full ? 'full' : 'ok'
    if (full) backlog.clear()
    return moved
  }
  const run = async (): Promise<void> => {
    let fruitless = 0
    for (let batch = backlog.next(); batch; batch = backlog.next()) {
      const { frame, samples } = batch
      const outcome = await parts.put(frame, frame > written, samples)
      if (outcome.type === 'answer') fruitless = settle(frame, outcome.reply) ? 0 : fruitless + 1
      else {
        fruitless += 1
        state = outcome.type === 'away' ? 'retrying' : 'refused'
      }
      parts.onChange()
      if (fruitless > 0) await parts.wait(retryPauseMs(fruitless))
    }
  }
  return {
    nudge() {
      if (sending || state === 'full') return
      sending = true
      void run().finally(() => (sending = false))
    },
    get written() {
      return written
    },
    get state() {
      return state
    },
  }
}
