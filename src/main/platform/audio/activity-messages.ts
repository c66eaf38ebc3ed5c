import type { Segment, Span } from '../../../shared/model/meeting.ts'

/** Requests to the voice activity worker. Its state is only a cache: it can restart from `fromMs` at any time. */
export type ActivityRequest =
  /**
   * Analyzes a channel of a session from where it stopped (first call: from `fromMs`, where the last segment ended) up to the
   * written frames. `last` closes an open segment. `live` runs the detector on every frame; otherwise the cheap gate analyzes
   * everything and the detector only the undecided parts. Analyzes no more than `mostMs` in one call.
   */
  | {
      readonly type: 'look'
      readonly folder: string
      readonly channel: number
      readonly fromMs: number
      /** The last segment ended in a forced cut after `fromMs`: the segment that begins there is its overlap. */
      readonly forced?: boolean
      readonly last: boolean
      readonly live: boolean
      readonly maxMs: number
    }
  | { readonly type: 'forget'; readonly folder: string }

export type FoundSegment = Span & Pick<Segment, 'forcedStart' | 'forcedEnd' | 'voiced'>

export interface ActivityAnswer {
  readonly segments: readonly FoundSegment[]
  /** Everything before it is decided: a new analysis may begin there. */
  readonly analysedMs: number
  /** There is a forced cut after `analysedMs`: see the field of the request. */
  readonly forced: boolean
  /** The detector's model is missing: only the cheap gate was used. Absent otherwise. */
  readonly gateAlone?: true
  /** False while there is more to analyze. */
  readonly done: boolean
}
