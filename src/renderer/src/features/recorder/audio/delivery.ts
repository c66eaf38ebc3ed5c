import type { CaptureReply } from '../../../../../shared/bridge/transport.ts'
import type { Backlog } from './backlog.ts'
import type { SendingState } from './messages.ts'

/** How one block fared: main's answer, main not being there, or main refusing it. */
export type PutOutcome =
  | { readonly type: 'answer'; readonly reply: CaptureReply }
  | { readonly type: 'away' | 'refused' }

/** Hands one block to main; `fill` asks for silence up to its frame first. Never rejects. */
export type PutAudio = (
  frame: number,
  fill: boolean,
  samples: Int16Array<ArrayBuffer>,
) => Promise<PutOutcome>

/** Brings a backlog to main, one block in flight, until main has confirmed it. */
export interface Delivery {
  /** There is something to send. */
  nudge(): void
  /** Frames that main has written. */
  readonly written: number
  readonly state: Exclude<SendingState, 'overload'>
}

/** The pause before the n-th try in a row that brought nothing, in ms. */
export const retryPauseMs = (tries: number): number => Math.min(10_000, 250 * 2 ** (tries - 1))

/** Builds it. `wait` resolves after so many ms, or sooner when there is reason to hope. */
export function createDelivery(parts: {
  readonly backlog: Backlog
  readonly put: PutAudio
  wait(ms: number): Promise<void>
  /** Something changed: frames were confirmed, or the state is another. */
  onChange(): void
  /** Main has less than it had confirmed, and no copy is left of what is missing. */
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
