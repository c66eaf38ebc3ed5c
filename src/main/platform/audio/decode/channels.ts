import type { ChannelRole } from '../../../../shared/model/meeting.ts'
import type { AudioDecoder } from './decoded.ts'

/** How the channels of a file map to those of a session. */
export type ChannelPlan = 'mono' | 'split'

export const rolesOf: Readonly<Record<ChannelPlan, readonly ChannelRole[]>> = {
  mono: ['mono'],
  split: ['left', 'right'],
}

/** Length of one block in seconds: short enough that two people seldom speak in it. */
const blockSeconds = 0.05

/** Maximum seconds analyzed: seconds with audio, and seconds of the file. */
const enough = { withAudio: 180, ofFile: 600 } as const

/** A block counts as audio when its louder channel is above this: 40 dB below the loudest block, and above -60 dB full scale. */
const levelBelowLoudest = 1e-4
const minLevel = 1e-6

/** A block belongs to one channel alone when that channel is this much louder, in energy: 12 dB. */
const alone = 16

/**
 * Shares of the blocks with audio: with two voices most belong to one channel alone, and each channel has some of its own. A
 * stereo image has neither: its sides differ by a few decibels most of the time.
 */
const shares = { alone: 0.5, each: 0.05 } as const

/** Correlation from which two channels are the same audio, whatever their levels. */
const sameSignal = 0.95

/** One block: energy of each channel and their common energy, per sample. */
interface BlockEnergy {
  readonly left: number
  readonly right: number
  readonly common: number
}

/**
 * Determines from the audio whether two channels are two voices (`split`) or one stereo image (`mono`), using the first minutes
 * with audio. Advances the decoder, which must be reopened to decode from the beginning.
 */
export async function findPlan(decoder: Pick<AudioDecoder, 'next'>): Promise<ChannelPlan> {
  const inspections: BlockEnergy[] = []
  let seconds = 0
  let audioSeconds = 0
  while (seconds < enough.ofFile && audioSeconds < enough.withAudio) {
    const chunk = await decoder.next()
    if (!chunk) break
    if (chunk.type === 'silence') seconds += chunk.seconds
    if (chunk.type !== 'sound') continue
    const [left, right] = chunk.channels
    if (!left || !right || chunk.channels.length !== 2) return 'mono'
    seconds += left.length / chunk.rate
    for (const inspection of inspectChannels(
      left,
      right,
      Math.max(1, Math.round(chunk.rate * blockSeconds)),
    )) {
      inspections.push(inspection)
      if (Math.max(inspection.left, inspection.right) > minLevel) audioSeconds += blockSeconds
    }
  }
  return planOf(inspections)
}

/** Returns the number of channels at the beginning of the audio; 0 if there are none. */
export async function channelsOf(decoder: Pick<AudioDecoder, 'next'>): Promise<number> {
  for (;;) {
    const chunk = await decoder.next()
    if (!chunk) return 0
    if (chunk.type === 'sound') return chunk.channels.length
  }
}

/** Energies below the room noise are not a voice: the quietest tenth of a channel is used as its room noise. */
function planOf(inspections: readonly BlockEnergy[]): ChannelPlan {
  const rooms = {
    left: roomOf(inspections.map(({ left }) => left)),
    right: roomOf(inspections.map(({ right }) => right)),
  }
  const loudest = inspections.reduce((max, { left, right }) => Math.max(max, left, right), 0)
  const audible = inspections.filter(
    ({ left, right }) => Math.max(left, right) > Math.max(minLevel, loudest * levelBelowLoudest),
  )
  if (audible.length === 0) return 'mono'
  if (correlation(audible) > sameSignal) return 'mono'
  let leftAlone = 0
  let rightAlone = 0
  for (const inspection of audible) {
    const left = Math.max(0, inspection.left - 2 * rooms.left)
    const right = Math.max(0, inspection.right - 2 * rooms.right)
    if (left > alone * right) leftAlone += 1
    else if (right > alone * left) rightAlone += 1
  }
  const [a, b] = [leftAlone / audible.length, rightAlone / audible.length]
  return a + b >= shares.alone && Math.min(a, b) >= shares.each ? 'split' : 'mono'
}

function* inspectChannels(
  left: Float32Array,
  right: Float32Array,
  block: number,
): Generator<BlockEnergy> {
  for (let at = 0; at + block <= left.length; at += block) {
    let [ll, rr, lr] = [0, 0, 0]
    for (let i = at; i < at + block; i++) {
      const [l, r] = [left[i] ?? 0, right[i] ?? 0]
      ll += l * l
      rr += r * r
      lr += l * r
    }
    yield { left: ll / block, right: rr / block, common: lr / block }
  }
}

/** Returns the 10th percentile of the energies. */
const roomOf = (energies: readonly number[]): number =>
  energies.toSorted((a, b) => a - b)[Math.floor(energies.length / 10)] ?? 0

/** Returns the correlation over all blocks, from -1 to 1. */
function correlation(inspections: readonly BlockEnergy[]): number {
  let [left, right, common] = [0, 0, 0]
  for (const inspection of inspections) {
    left += inspection.left
    right += inspection.right
    common += inspection.common
  }
  return left * right > 0 ? common / Math.sqrt(left * right) : 0
}
