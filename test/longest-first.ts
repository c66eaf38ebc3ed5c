import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest test files, slowest first: starting one of them last would leave a single worker busy at the end.
 */
export const longest: readonly string[] = [
  'test/e2e/screens.test.ts',
  'test/e2e/documents-screens.test.ts',
  'test/e2e/documents-samples.test.ts',
  'test/main/app/work.test.ts',
  'test/cli/this-computer.test.ts',
  'test/main/app/speech.test.ts',
  'test/main/app/meeting-figures.test.ts',
  'test/main/app/meetings-faults.test.ts',
  'test/local-service/worst-inputs.test.ts',
  'test/main/app/meetings.test.ts',
  'test/main/domains/audio/service/watch.test.ts',
  'test/conformance/conformance.test.ts',
  'test/main/domains/documents/worker/pdf/fuzz.test.ts',
  'test/local-service/stream.test.ts',
  'test/main/app/meetings-killed.test.ts',
  'test/main/app/meetings-ends.test.ts',
  'test/main/domains/documents/service/kill.test.ts',
  'test/main/library-database/recovery.test.ts',
  'test/main/domains/chats/exports/round-trip.test.ts',
  'test/security/keys.test.ts',
  'test/main/app/long-answers.test.ts',
  'test/main/app/chats-canary.test.ts',
  'test/main/domains/voices/worker/sample/sample.test.ts',
  'test/cli/command.test.ts',
  'test/local-service/image-bodies.test.ts',
  'test/local-service/hard-times.test.ts',
  'test/local-service/speech.test.ts',
  'test/main/app/imported-audio.test.ts',
  'test/main/domains/audio/service/recording/kill.test.ts',
]

const inBrowser = ({ project }: TestSpecification): boolean => project.name.startsWith('e2e')

/** Spreads the files of each list evenly. */
const mixed = (lists: readonly (readonly TestSpecification[])[]): TestSpecification[] =>
  lists
    .flatMap((files) => files.map((file, at) => ({ file, place: (at + 0.5) / files.length })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ file }) => file)

/**
 * Starts with the slowest files; a new clone has no times of earlier runs. Tests in a browser mostly wait, so they are spread
 * among the unit tests, which compute.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => {
      const at = longest.indexOf(
        relative(this.ctx.config.root, file.moduleId).replaceAll('\\', '/'),
      )
      return at === -1 ? longest.length : at
    }
    const defaultOrder = await BaseSequencer.prototype.sort.call(this, files)
    const sorted = defaultOrder.toSorted((a, b) => rank(a) - rank(b))
    return mixed([sorted.filter(inBrowser), sorted.filter((file) => !inBrowser(file))])
  }
}
