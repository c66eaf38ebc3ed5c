import type { ChannelRole } from '../../../../shared/model/meeting.ts'

/** What is heard: everything, or one channel alone. */
export type PlaybackMix = 'mix' | 0 | 1

/** How loud each channel is on each ear, 0 to 1: `[[channel 0 left, right], [channel 1 left, right]]`. */
export type ChannelMixMatrix = readonly [readonly [number, number], readonly [number, number]]

/**
 * Where the two channels go. One channel alone is heard on both ears; the two sides of a meeting are mixed, since nobody wants
 * one person in each ear; the two sides of a file stay left and right.
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
