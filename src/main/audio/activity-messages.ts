import type { Segment, Span } from '../../shared/model/meeting.ts'

/** Requests to the voice activity worker. Its state is only a cache: from `fromMs` on it can begin anew at any time. */
export type ActivityRequest =
  /**
   * Looks at a channel of a session from where it stopped (a first call: from `fromMs`, where the last segment ended) up to the
   * frames that are written. `last` closes what is open. `live` is the detector on every frame; otherwise the cheap gate looks at
   * everything and the detector only where it decides. Looks at no more than `mostMs` in one call.
   */
  | {
      readonly type: 'look'
      readonly folder: string
      readonly channel: number
      readonly fromMs: number
      /** The last segment ended in a forced cut behind `fromMs`: what begins there is its overlap. */
      readonly forced?: boolean
      readonly last: boolean
      readonly live: boolean
      readonly maxMs: number
    }
  | { readonly type: 'forget'; readonly folder: string }

/** A segment as it was found. */
export type FoundSegment = Span & Pick<Segment, 'forcedStart' | 'forcedEnd' | 'voiced'>

/** What a look found. */
export interface ActivityAnswer {
  readonly segments: readonly FoundSegment[]
  /** Everything in front of it is decided: a new look may begin there. */
  readonly analysedMs: number
  /** A forced cut lies behind `analysedMs`: see the request's field. */
  readonly forced: boolean
  /** The detector's model is missing: the cheap gate decided alone. Absent otherwise. */
  readonly gateAlone?: true
  /** False while there is more to look at. */
  readonly done: boolean
}
