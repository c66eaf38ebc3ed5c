import type { ChannelMixMatrix } from './channel-mix-matrix.ts'

/** Lets the two channels of an audio element be heard apart. */
export interface ChannelMixer {
  set(matrix: ChannelMixMatrix): void
  resume(): void
  close(): void
}

/** Builds the graph: element, splitter, a gain for each channel and ear, merger, ears. Made on a press of Play: browsers want one. */
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
