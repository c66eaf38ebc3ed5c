import type { ChannelMixMatrix } from './channel-mix-matrix.ts'

/** Mixes the two channels of an audio element separately. */
export interface ChannelMixer {
  set(matrix: ChannelMixMatrix): void
  resume(): void
  close(): void
}

/**
 * Creates the graph: element, splitter, a gain per channel and side, merger, output. Created on Play, since browsers require
 * a user action.
 */
export function createChannelMixer(audio: HTMLAudioElement): ChannelMixer {
  const context = new AudioContext({ latencyHint: 'playback' })
  const splitter = context.createChannelSplitter(2)
  const merger = context.createChannelMerger(2)
  const gains = [0, 1].map((channel) =>
    [0, 1].map((output) => {
      const gain = context.createGain()
      splitter.connect(gain, channel)
      gain.connect(merger, 0, output)
      return gain
    }),
  )
  context.createMediaElementSource(audio).connect(splitter)
  merger.connect(context.destination)
  return {
    set(matrix) {
      for (const [channel, levels] of matrix.entries())
        for (const [output, value] of levels.entries())
          gains[channel]?.[output]?.gain.setTargetAtTime(value, context.currentTime, 0.01)
    },
    resume: () => void context.resume(),
    close: () => void context.close(),
  }
}
