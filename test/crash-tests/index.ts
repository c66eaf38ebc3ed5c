import { parseArgs } from 'node:util'

/** Options of a crash test on the command line. */
export interface CrashTestArguments {
  readonly rounds?: number
  readonly seed?: number
}

/** Kills the app repeatedly; rejects if anything is lost. */
export interface CrashTest {
  readonly name: string
  run(given: CrashTestArguments): Promise<void>
}

/** All crash tests by name; each is loaded when it runs. */
const crashTests: Readonly<Record<string, () => Promise<{ readonly crashTest: CrashTest }>>> = {
  archive: () => import('./archive.ts'),
  chat: () => import('./chat.ts'),
  documents: () => import('./documents.ts'),
  erase: () => import('./erase.ts'),
  recording: () => import('./recording.ts'),
  restore: () => import('./restore.ts'),
  transcription: () => import('./transcription.ts'),
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number.parseInt(text, 10)

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { rounds: { type: 'string' }, seed: { type: 'string' } },
    allowPositionals: true,
  })
  const [name = ''] = positionals
  const load = Object.hasOwn(crashTests, name) ? crashTests[name] : undefined
  if (!load) {
    console.error(
      `npm run crash-tests -- NAME. Crash tests: ${Object.keys(crashTests).join(', ')}.`,
    )
    return 1
  }
  const rounds = wholeNumber(values.rounds)
  const seed = wholeNumber(values.seed)
  const { crashTest } = await load()
  await crashTest.run({ ...(rounds && { rounds }), ...(seed !== undefined && { seed }) })
  return 0
}

process.exitCode = await main()
