import type { ChannelRole } from '../../../../../shared/model/meeting.ts'

/** Played channels: all, or one. */
export type PlaybackMix = 'mix' | 0 | 1

/** Gain of each channel on each side, 0 to 1: `[[channel 0 left, right], [channel 1 left, right]]`. */
export type ChannelMixMatrix = readonly [readonly [number, number], readonly [number, number]]

/**
 * Returns the routing of the two channels. A single channel plays on both sides; the two channels of a meeting are mixed,
 * since one person per ear is unpleasant; the two channels of a file stay left and right.
 */
export function channelMixMatrix(
  mix: PlaybackMix,
  roles: readonly ChannelRole[],
): ChannelMixMatrix {
  if (mix === 0)
    return [
      [1, 1],
      [0, 0],
    ]
  if (mix === 1)
    return [
      [0, 0],
      [1, 1],
    ]
  const apart = roles[0] === 'left' && roles[1] === 'right'
  return apart
    ? [
        [1, 0],
        [0, 1],
      ]
    : [
        [0.8, 0.8],
        [0.8, 0.8],
      ]
}
