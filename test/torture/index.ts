import { parseArgs } from 'node:util'

/** What a campaign may be told on the command line. */
export interface TortureArguments {
  readonly rounds?: number
  readonly seed?: number
}

/** A campaign against the app: rejects when anything is lost. */
export interface Torture {
  readonly name: string
  run(given: TortureArguments): Promise<void>
}

/** Every campaign by its name, loaded when it runs. */
const campaigns: Readonly<Record<string, () => Promise<{ readonly torture: Torture }>>> = {
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
  const load = Object.hasOwn(campaigns, name) ? campaigns[name] : undefined
  if (!load) {
    console.error(`npm run torture -- NAME. Campaigns: ${Object.keys(campaigns).join(', ')}.`)
    return 1
  }
  const rounds = wholeNumber(values.rounds)
  const seed = wholeNumber(values.seed)
  const { torture } = await load()
  await torture.run({ ...(rounds && { rounds }), ...(seed !== undefined && { seed }) })
  return 0
}

process.exitCode = await main()
