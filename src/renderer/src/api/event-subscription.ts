import type { StreamEvent, StreamSnapshot } from '../../../shared/bridge/events.ts'
import type { Failure, Reply } from '../../../shared/bridge/reply.ts'
import type { EventBatch } from '../../../shared/model/run.ts'

/** What the follower of a stream is told. Exactly one of `end`, `error` and `gone` comes last. */
export interface Follower {
  /** The whole text so far. */
  text(whole: string): void
  /** A batch of events, in order. */
  events?(batch: EventBatch): void
  /** Events before this place were pushed while nobody followed: `runs.events` has them. */
  missed?(before: number): void
  end(whole: string): void
  error(failure: Failure): void
  /** Main does not know the stream (yet, or any more): read the item again. */
  gone(): void
}

/** What following needs of the bridge. */
export interface FollowDeps {
  attach(streamId: string): Promise<Reply<StreamSnapshot>>
  detach(streamId: string): void
  onStream(listener: (event: StreamEvent) => void): () => void
  /** Called whenever the bridge is back after a gap. */
  onReopen(listener: () => void): () => void
}

/** Pause before a snapshot that was of no help is asked for again, in milliseconds. */
const stuckMs = 500

/**
 * Follows one stream from wherever it stands: takes the text so far, then each delta in order of `seq`. A hole
 * (a lost event, a broken bridge) is closed by attaching again. Returns the function that leaves without stopping it.
 */
export function followStream(deps: FollowDeps, streamId: string, follower: Follower): () => void {
  let text = ''
  let expected: number | null = null
  /** Where the last snapshot ended. */
  let attachedAt = -1
  let retry: ReturnType<typeof setTimeout> | undefined
  let attaching = false
  let over = false
  let early: StreamEvent[] = []

  const leave = (): void => {
    if (over) return
    over = true
    clearTimeout(retry)
    offStream()
    offReopen()
  }
  const finish = (notify: () => void): void => {
    leave()
    notify()
  }

  const take = (event: StreamEvent): void => {
    if (over) return
    if (expected === null) {
      early.push(event)
      return
    }
    if (event.seq < expected) return
    if (event.seq > expected) {
      // A snapshot that does not reach the hole is asked for again after a pause, never in a tight loop.
      const stuck = expected === attachedAt
      expected = null
      early.push(event)
      if (stuck) retry = setTimeout(() => void attach(), stuckMs)
      else void attach()
      return
    }
    expected += 1
    if (event.type === 'delta') {
      text += event.text
      follower.text(text)
    } else if (event.type === 'events') follower.events?.(event.batch)
    else if (event.type === 'end') finish(() => follower.end(event.text))
    else finish(() => follower.error(event.error))
  }

  const settle = (snapshot: StreamSnapshot): void => {
    text = snapshot.text
    expected = snapshot.nextSeq
    attachedAt = snapshot.nextSeq
    const { outcome, nextEvent } = snapshot
    if (nextEvent !== undefined) follower.missed?.(nextEvent)
    if (outcome?.type === 'end') return finish(() => follower.end(text))
    follower.text(text)
    if (outcome) return finish(() => follower.error(outcome.error))
    const held = early
    early = []
    for (const event of held) take(event)
  }

  const attach = async (): Promise<void> => {
    if (attaching) return
    attaching = true
    const reply = await deps.attach(streamId)
    attaching = false
    if (over) return
    if (reply.ok) return settle(reply.data)
    // A bridge that is down comes back with `onReopen`; anything else means that there is nothing to follow.
    if (reply.error.code === 'NOT_FOUND') finish(() => follower.gone())
  }

  const offStream = deps.onStream((event) => {
    if (event.streamId === streamId) take(event)
  })
  const offReopen = deps.onReopen(() => {
    expected = null
    void attach()
  })
  void attach()

  return () => {
    if (over) return
    leave()
    deps.detach(streamId)
  }
}
