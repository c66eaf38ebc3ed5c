/** A finished block: interleaved 16-bit samples and the recorded frame at which it begins. */
export interface Block {
  readonly seq: number
  readonly frame: number
  readonly samples: Int16Array<ArrayBuffer>
}

/** Collects the channels' samples into interleaved 16-bit blocks of a fixed size. */
export interface BlockPacker {
  /** Adds `frames` frames; an absent channel counts as silence of that length. */
  take(channels: readonly (Float32Array | undefined)[], frames: number): void
  /** Emits the incomplete block, however short. */
  flush(): void
  /** Number of frames added so far. */
  readonly frame: number
}

/** Creates a packer for blocks of `blockFrames` frames; the receiver owns each block's array. */
export function createBlockPacker(
  channelCount: number,
  blockFrames: number,
  emit: (block: Block) => void,
): BlockPacker {
  let samples = new Int16Array(blockFrames * channelCount)
  let filled = 0
  let seq = 0
  let frame = 0
  const flush = (): void => {
    if (filled === 0) return
    const whole = filled === blockFrames
    emit({
      seq: seq++,
      frame: frame - filled,
      samples: whole ? samples : samples.slice(0, filled * channelCount),
    })
    if (whole) samples = new Int16Array(blockFrames * channelCount)
    filled = 0
  }
  return {
    take(channels, frames) {
      for (let at = 0; at < frames; at++) {
        const base = filled * channelCount
        for (let channel = 0; channel < channelCount; channel++)
          samples[base + channel] = toInt16(channels[channel]?.[at] ?? 0)
        filled++
        frame++
        if (filled === blockFrames) flush()
      }
    },
    flush,
    get frame() {
      return frame
    },
  }
}

/** Converts a sample of -1 to 1 to 16 bits; louder samples are clipped, NaN becomes silence. */
export function toInt16(sample: number): number {
  if (sample >= 1) return 32_767
  if (sample <= -1) return -32_768
  return Math.round(sample * 32_767) || 0
}
