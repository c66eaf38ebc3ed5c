import { speakTexts, spokenVoices } from '../../fixtures/spoken.ts'

/** Sentences long enough for a segment each. */
const sentences = [
  'The customers in the south want the report on paper.',
  'Please write that down and send it to everybody after the meeting.',
  'First we measure, then we change one thing, and then we measure again.',
]

/** Returns faint noise that is never the same, so that no two audio segments have the same bytes. */
function hiss(frame: number, channel: number): number {
  const mixed = Math.imul((frame + 1) * 2 + channel, 2_654_435_761)
  return ((mixed >>> 16) & 7) - 4
}

/**
 * Creates two channels that take turns, each turn a segment of its channel, followed by 2.2 s of silence. 16-bit samples.
 */
export async function talkInTurns(
  turns: number,
  rate: number,
): Promise<readonly [Int16Array<ArrayBuffer>, Int16Array<ArrayBuffer>]> {
  const voices = await Promise.all(spokenVoices.map((voice) => speakTexts(sentences, rate, voice)))
  const clips = Array.from({ length: turns }, (_, turn) => ({
    channel: turn % 2,
    samples: voices[turn % 2]?.[turn % sentences.length] ?? new Int16Array(0),
  }))
  const pause = Math.round(rate * 2.2)
  const length = clips.reduce((sum, { samples }) => sum + samples.length + pause, pause)
  const channel = (own: number): Int16Array<ArrayBuffer> => {
    const audio = Int16Array.from({ length }, (_, frame) => hiss(frame, own))
    let at = pause
    for (const clip of clips) {
      if (clip.channel === own)
        for (const [frame, sample] of clip.samples.entries())
          audio[at + frame] = Math.max(-32_768, Math.min(32_767, sample + hiss(at + frame, own)))
      at += clip.samples.length + pause
    }
    return audio
  }
  return [channel(0), channel(1)]
}
