import { maxSegmentMs } from '../../../src/shared/model/meeting.ts'
import { sessionFolder } from '../../../src/main/platform/audio/session-files.ts'
import { openSession } from '../../../src/main/platform/audio/session-reader.ts'
import { engineNotices } from '../../../src/shared/provider/engine-notices.ts'
import type { TestApp } from '../../fixtures/app.ts'
import { evaluateSegments, type Judgement } from '../../fixtures/segment-verdicts.ts'
import type { Turn } from '../../fixtures/spoken-meeting.ts'
import type { TestService } from '../../local-service/fixtures/service.ts'
import { wordErrors, wordsOf } from '../../local-service/fixtures/words.ts'
import { waveOf } from './meeting-setup.ts'

/** Quality of a transcribed meeting compared with the ground truth. */
export interface Figures {
  readonly turns: number
  readonly segments: number
  /** Number of turns outside the segments of their own channel. */
  readonly uncovered: number
  readonly longestMs: number
  /** Share of the cuts inside a turn. */
  readonly cutsInside: number
  /** Number of segments without speech. */
  readonly empty: number
  /** Number of transcriptions that the service received, and of responses with silence or no text. */
  readonly calls: number
  readonly silentAnswers: number
  /** Length of the sent audio divided by the length of the speech. */
  readonly sent: number
  /** Word error rate: of the transcript, and of the same engine on segments of 29 s split by the clock. */
  readonly errors: number
  readonly errorsOfMix: number
  /** Word error rate of each channel alone; null if not requested, as it takes twice as long. */
  readonly errorsOfChannels: number | null
}

/**
 * Tolerance of a clip's edges in milliseconds: speech is not detected before and after its first and last loud sample.
 */
const toleranceMs = 40

/** Length of a fixed-length segment in milliseconds. */
const fixedMs = 29_000

/** Measures a meeting with the two channels of the ground truth; `service` must have received nothing else. */
export async function measure(
  app: TestApp,
  service: TestService,
  id: string,
  truth: readonly Turn[],
  withChannels: boolean,
): Promise<Figures> {
  const log = await service.call('/__faults/log').then((reply) => reply.json())
  const { calls } = log as { readonly calls: readonly { readonly path: string }[] }
  const { lines, segments } = await app.call('meetings.lines', { id, limit: 2000 })
  const { versions } = await app.call('meetings.versions', { id })
  const results = [0, 1].map((channel) =>
    evaluateSegments(
      segments.filter((segment) => segment.channel === channel),
      truth.filter((turn) => turn.channel === channel),
      toleranceMs,
    ),
  )
  const sum = (of: (each: Judgement) => number): number =>
    results.reduce((total, each) => total + of(each), 0)
  const texts = [0, 1].map((channel) =>
    lines
      .filter((line) => line.channel === channel)
      .map(({ text }) => text)
      .join(' '),
  )
  const fixed = await transcribeFixedSegments(app, service, id, withChannels)
  return {
    turns: truth.length,
    segments: segments.length,
    uncovered: sum((each) => each.uncovered.length),
    longestMs: Math.max(...results.map((each) => each.longestMs)),
    cutsInside: sum((each) => each.cutsInside * each.segments) / Math.max(1, segments.length),
    empty: sum((each) => each.empty),
    calls: calls.filter(({ path }) => path.endsWith('/audio/transcriptions')).length,
    silentAnswers: versions.filter(
      ({ text, notice }) =>
        text === '' ||
        notice?.includes(engineNotices.silent) === true ||
        notice?.includes(engineNotices.noWords) === true,
    ).length,
    sent: sum((each) => each.sent) / results.length,
    errors: wordErrorRate(truth, texts),
    errorsOfMix: rateOf([[textOf(truth), fixed.mix]]),
    errorsOfChannels: withChannels ? wordErrorRate(truth, fixed.channels) : null,
  }
}

/** Prints the figures, one per line. */
export function printFigures(name: string, figures: Figures): void {
  const percent = (share: number | null): string =>
    share === null ? 'not asked' : `${(share * 100).toFixed(1)} %`
  console.log(
    [
      `${name}: ${figures.turns} turns, ${figures.segments} segments, ${figures.uncovered} turns outside of them`,
      `  longest segment ${(figures.longestMs / 1000).toFixed(1)} s (at most ${maxSegmentMs / 1000} s), cuts inside a turn ${percent(figures.cutsInside)}`,
      `  the service counted ${figures.calls} calls; segments without speech ${figures.empty}, answers of silence ${figures.silentAnswers}; sent ${figures.sent.toFixed(2)} of the speech`,
      `  word errors ${percent(figures.errors)}; the same engine on pieces of 29 s by the clock: the mix ${percent(figures.errorsOfMix)}, each channel ${percent(figures.errorsOfChannels)}`,
    ].join('\n'),
  )
}

/** Transcribes the same audio with the same engine, split every 29 s. */
async function transcribeFixedSegments(
  app: TestApp,
  service: TestService,
  id: string,
  withChannels: boolean,
): Promise<{ readonly channels: readonly string[]; readonly mix: string }> {
  const session = openSession(sessionFolder(app.home, id))
  const { sampleRate } = session.head
  const frames = session.frames()
  const channels: string[][] = [[], []]
  const mix: string[] = []
  const transcribe = async (samples: Int16Array): Promise<string> => {
    const form = new FormData()
    form.set('model', 'gen-asr-2512')
    form.set('file', new Blob([new Uint8Array(waveOf([samples], sampleRate))]), 'piece.wav')
    const reply = (await (await service.transcribe(form)).json()) as { readonly text: string }
    return reply.text
  }
  for (let at = 0; at < frames; at += (fixedMs * sampleRate) / 1000) {
    const chunk = session.read(at, Math.min((fixedMs * sampleRate) / 1000, frames - at))
    const both = [0, 1].map((channel) => chunk.filter((_, i) => i % 2 === channel))
    if (withChannels)
      for (const [channel, samples] of both.entries())
        channels[channel]?.push(await transcribe(samples))
    const [left, right] = both
    mix.push(await transcribe(Int16Array.from(left ?? [], (s, i) => (s + (right?.[i] ?? 0)) / 2)))
  }
  session.close()
  return { channels: channels.map((texts) => texts.join(' ')), mix: mix.join(' ') }
}

const textOf = (turns: readonly Turn[]): string => turns.map(({ text }) => text).join(' ')

const wordErrorRate = (truth: readonly Turn[], transcribed: readonly string[]): number =>
  rateOf(
    transcribed.map((text, channel) => [
      textOf(truth.filter((turn) => turn.channel === channel)),
      text,
    ]),
  )

function rateOf(pairs: readonly (readonly [said: string, heard: string])[]): number {
  let errors = 0
  let words = 0
  for (const [spoken, transcribed] of pairs) {
    errors += wordErrors(wordsOf(spoken), wordsOf(transcribed))
    words += wordsOf(spoken).length
  }
  return errors / Math.max(1, words)
}
