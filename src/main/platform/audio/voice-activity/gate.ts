import { type Fvad, fvadSamples } from './fvad.ts'
import { frameSamples, known } from './frames.ts'
import { createLoudness, decibels, floorReach, noiseFloor } from './loudness.ts'

/** Gate result for a frame: 1 for one that probably contains voice, {@link doubtful} for an undecided one. */
interface GatedFrame {
  readonly voice: number
  readonly power: number
  readonly known: number
}

/** Between the thresholds at which speech begins and ends. */
export const doubtful = 0.4

/** Analyzes all audio at a thousandth of the detector's cost; where it reports silence, there is no speech. */
interface Gate {
  /** Processes whole frames, one range after the other. */
  take(samples: Int16Array): readonly GatedFrame[]
}

/** dB above the noise floor: always silence, silence if WebRTC detects no voice, and voice if it does. */
const surelySilent = 4
const silentWithoutSpeech = 7
const surelySpeech = 10

/** Creates a gate for one channel from one frame on. */
export function createGate(fvad: Fvad): Gate {
  const loudness = createLoudness()
  let recent: number[] = []
  let rest = new Int16Array(0)
  let isSpeech = false
  fvad.reset()

  /** WebRTC's windows are slightly shorter than frames: a frame has the result of the last whole window in it. */
  function detectSpeech(samples: Int16Array): boolean[] {
    const joined = new Int16Array(rest.length + samples.length)
    joined.set(rest)
    joined.set(samples, rest.length)
    const speech: boolean[] = []
    let from = 0
    for (let end = rest.length + frameSamples; end <= joined.length; end += frameSamples) {
      for (; from + fvadSamples <= end; from += fvadSamples) isSpeech = fvad.voiced(joined, from)
      speech.push(isSpeech)
    }
    rest = joined.slice(from)
    return speech
  }

  return {
    take(samples) {
      const speech = detectSpeech(samples)
      const frames: { power: number; level: number; isSpeech: boolean }[] = []
      for (let at = 0; at + frameSamples <= samples.length; at += frameSamples) {
        const power = loudness(samples, at)
        frames.push({ power, level: decibels(power), isSpeech: speech[frames.length] ?? false })
      }
      const levels = [...recent, ...frames.map((frame) => frame.level)]
      const floors = noiseFloor(levels).slice(recent.length)
      recent = levels.slice(-floorReach)
      return frames.map((frame, i) => {
        const above = frame.level - (floors[i] ?? 0)
        const silent = above < surelySilent || (above < silentWithoutSpeech && !frame.isSpeech)
        if (silent) return { voice: 0, power: frame.power, known: known.gate }
        const voice = above >= surelySpeech && frame.isSpeech ? 1 : doubtful
        return { voice, power: frame.power, known: known.guess }
      })
    },
  }
}
