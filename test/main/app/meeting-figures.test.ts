import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { speakMeeting, type Turn } from '../../fixtures/spoken-meeting.ts'
import { startTestService, type TestService } from '../../local-service/fixtures/service.ts'
import { accountAt, hangMs, transcribedMeeting, importFile, waveOf } from './meeting-setup.ts'
import { measure, printFigures, type Figures } from './meeting-figures.ts'

let app: TestApp
let service: TestService

beforeEach(async () => {
  // Its fault injection counts the calls.
  service = await startTestService({ faults: true })
  app = await testApp()
})
afterEach(async () => {
  await app.remove()
  await service.stop()
})

/** Imports a file through the whole app and measures the result. */
async function figuresOf(
  name: string,
  bytes: Uint8Array,
  truth: readonly Turn[],
  withChannels: boolean,
): Promise<Figures> {
  const id = await importFile(app, name, bytes, await accountAt(app, service.url, service.key))
  const { completeness, channels } = await transcribedMeeting(app, id)
  expect(channels).toEqual(['left', 'right'])
  expect(completeness).toMatchObject({ failed: 0, analysedMs: completeness.writtenMs })
  const figures = await measure(app, service, id, truth, withChannels)
  printFigures(name, figures)
  return figures
}

/** Returns the figures that miss the targets of two speakers who take turns. */
function missed(figures: Figures): readonly string[] {
  const bars: Readonly<Record<string, boolean>> = {
    'every turn lies in a segment of its speaker': figures.uncovered === 0,
    'no segment is longer than 29.5 s': figures.longestMs <= 29_500,
    'under 10 % of the cuts lie in a turn': figures.cutsInside < 0.1,
    'nothing silent is sent': figures.empty === 0 && figures.silentAnswers === 0,
    'one call for each segment, and no other': figures.calls === figures.segments,
    'no more words are lost than by the clock':
      figures.errors <= Math.min(figures.errorsOfMix, figures.errorsOfChannels ?? 1),
  }
  return Object.keys(bars).filter((name) => bars[name] !== true)
}

test(
  'covers every turn of two speakers, sends no silence, and beats fixed-length segments',
  async () => {
    const { channels, turns } = await speakMeeting({
      seconds: 45,
      seed: 11,
      snr: null,
      goesOn: 0.6,
      pauses: [350, 1_200],
    })
    const figures = await figuresOf('spoken.wav', waveOf(channels, 16_000), turns, true)
    expect(missed(figures)).toEqual([])
  },
  hangMs,
)

test(
  'meets the same targets for the two-channel sample meeting',
  async () => {
    const folder = resolve('../shared/samples')
    const truthPath = resolve(folder, 'meeting-two-channels.json')
    if (!existsSync(truthPath)) {
      console.log('The sample meeting-two-channels is absent: it is not checked.')
      return
    }
    const { turns } = JSON.parse(await readFile(truthPath, 'utf8')) as {
      readonly turns: readonly {
        readonly speaker: 'me' | 'others'
        readonly start: number
        readonly end: number
        readonly text: string
      }[]
    }
    const truth = turns.map(({ speaker, start, end, text }) => ({
      channel: speaker === 'me' ? 0 : 1,
      startMs: start * 1000,
      endMs: end * 1000,
      text,
    }))
    const name = 'meeting-two-channels.flac'
    const figures = await figuresOf(name, await readFile(resolve(folder, name)), truth, false)
    expect(missed(figures)).toEqual([])
  },
  hangMs,
)
