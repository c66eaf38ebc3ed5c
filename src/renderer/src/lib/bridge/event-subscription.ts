import type { StreamEvent, StreamSnapshot } from '../../../../shared/contract/events.ts'
import type { Failure, Reply } from '../../../../shared/contract/reply.ts'
import type { EventBatch } from '../../../../shared/model/run.ts'

/** Callbacks of a stream's follower. Exactly one of `end`, `error` and `gone` is called last. */
export interface Follower {
  /** Receives a batch of events, in order. */
  events(batch: EventBatch): void
  /** Events before this position were pushed while no page followed: `runs.events` has them. */
  missed(before: number): void
  end(): void
  error(failure: Failure): void
  /** Main does not know the stream (yet, or any longer): read the item again. */
  gone(): void
}

/** Functions of the bridge needed for following. */
interface FollowDeps {
  attach(streamId: string): Promise<Reply<StreamSnapshot>>
  detach(streamId: string): void
  onStream(listener: (event: StreamEvent) => void): () => void
  /** Calls the listener whenever the bridge is open again after an interruption. */
  onReopen(listener: () => void): () => void
}

/** Milliseconds before a snapshot that did not help is requested again. */
const stuckMs = 500

/**
 * Follows one stream from its current position, in order of `seq`. A gap (a lost event, a broken bridge) is closed by
 * attaching again. Returns a function that stops following without stopping the stream.
 */
export function followStream(deps: FollowDeps, streamId: string, follower: Follower): () => void {
  let expected: number | null = null
  /** End position of the last snapshot. */
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
      // A snapshot that does not reach the gap is requested again after a pause, never in a tight loop.
      const stuck = expected === attachedAt
      expected = null
      early.push(event)
      if (stuck) retry = setTimeout(() => void attach(), stuckMs)
      else void attach()
      return
    }
    expected += 1
    if (event.type === 'events') follower.events(event.batch)
    else if (event.type === 'end') finish(() => follower.end())
    else finish(() => follower.error(event.error))
  }

  const settle = (snapshot: StreamSnapshot): void => {
    expected = snapshot.nextSeq
    attachedAt = snapshot.nextSeq
    const { outcome, nextEvent } = snapshot
    if (nextEvent !== undefined) follower.missed(nextEvent)
    if (outcome?.type === 'end') return finish(() => follower.end())
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
    // If the bridge is down, `onReopen` resumes; any other error means that there is nothing to follow.
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
