import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createApi } from '../main/provider-client/index.ts'
import { createIds } from '../main/hosts/support/ids.ts'
import { proxyFromEnvironment } from '../main/hosts/support/proxy.ts'
import { inputFile } from '../main/operations/input-file.ts'
import { parseInput, type OperationContext } from '../main/operations/operation.ts'
import { createRedactor, type Redactor } from '../main/platform/security/redact.ts'
import { removeUnlockedCopies } from '../system/unlocked-copies.ts'
import { setupSteadyThreads } from '../system/v8-wasm-workaround.ts'
import { readArguments, type Command } from './arguments.ts'
import { operationHelp, overview } from './help.ts'
import { awaitIndexed, indexedBy, searchedBy, reportEmpty, reportOpen } from './indexing.ts'
import { readInput } from './input.ts'
import { createPdfFiles, pdfParsingOperations } from './locked-pdf.ts'
import { exitCodes, formatError } from './outcome.ts'
import { createOutput, type Output } from './output.ts'
import { reach } from './target.ts'
import { UsageError } from './usage-error.ts'

/** Process environment of a command. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  /** Whether standard output is a terminal: JSON is then pretty-printed. */
  readonly forEyes: boolean
  readonly output: Output
  readonly redactor: Redactor
  readonly signal: AbortSignal
}

/** Runs one operation and prints its result. Throws UsageError and AppError. */
async function runOperation(
  command: Extract<Command, { type: 'run' }>,
  around: Surroundings,
): Promise<void> {
  const { output, signal, env, redactor } = around
  const { operation } = command
  const input = await readInput(command, around.stdin)
  // Before anything is started or prompted for: invalid input is reported at once.
  parseInput(operation.input, input)
  const stdinTaken = command.json === '-'
  const keys = { env, stdin: around.stdin, stdinTaken, ask: (text: string) => output.say(text) }
  const pdfs = createPdfFiles({ ...keys, passwordFile: command.passwordFile })
  const reached = await reach(command.place, keys, redactor)
  redactor.register(reached.target.key)
  const api = createApi(
    {
      clock: Date.now,
      ids: createIds(Date.now),
      record: () => undefined,
      proxyFor: async (url) => proxyFromEnvironment(url, env),
      extraCa: async () => [],
      ...reached.network,
    },
    { patient: true },
  )
  const written: string[] = []
  let rawPrinted = false
  const context: OperationContext = {
    api,
    target: reached.target,
    signal,
    ...(command.requestId !== null && { requestId: command.requestId }),
    async file(reference) {
      const file = await inputFile(resolve(reference), pdfs.pages)
      if (file.kind !== 'pdf' || !pdfParsingOperations.has(command.name)) return file
      const path = await pdfs.open(file.path)
      return path === file.path ? file : inputFile(path, pdfs.pages, file.name)
    },
    async output(name) {
      const path = resolve(command.out ?? name)
      if (command.out === null && existsSync(path))
        throw new UsageError(`${name} already exists in this folder. Use --out to set another path`)
      written.push(path)
      return path
    },
    onRaw({ body }) {
      rawPrinted = true
      if (command.raw) output.text(body)
    },
    onEvent(event) {
      if (!command.raw) output.json(event, false)
    },
  }
  const writeAnswer = (answer: Awaited<ReturnType<typeof operation.run>>): void => {
    if (command.raw) return rawPrinted ? undefined : output.text(answer.raw.body)
    const { raw: _raw, ...fields } = answer
    const result = { ...fields, ...(written[0] !== undefined && { file: written[0] }) }
    if (operation.streams) output.json({ type: 'result', ...result }, false)
    else output.json(result, around.forEyes)
  }
  const indexing = { api, target: reached.target, signal, say: output.say }
  const index = command.wait ? awaitIndexed : reportOpen
  const searched = reached.endsWithCall ? searchedBy(command.name, input) : null
  const indexed = reached.endsWithCall ? indexedBy(command.name, input) : null
  try {
    if (searched) await index(searched, indexing)
    writeAnswer(await operation.run(context, input))
    if (searched) await reportEmpty(searched, indexing)
    if (indexed) await index(indexed, indexing)
  } finally {
    await Promise.all([api.close(), reached.close(), pdfs.close()])
  }
}

const { stdin, stdout, stderr, env } = process
const redactor = createRedactor()
const output = createOutput(stdout, stderr, redactor)
const stop = new AbortController()

/** The first Ctrl-C, or the end of the terminal, cancels the request cleanly; a second one ends the program. */
function onSignal(): void {
  if (stop.signal.aborted) process.exit(exitCodes.cancelled)
  stop.abort()
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
// Files written here are private: audio, documents, answers.
process.umask(0o077)
setupSteadyThreads()
// Copies of locked PDFs left by a killed command.
await removeUnlockedCopies()

try {
  const command = readArguments(process.argv.slice(2))
  if (command.type === 'help')
    output.text(command.operation === null ? overview() : operationHelp(command.operation))
  else
    await runOperation(command, {
      env,
      stdin,
      forEyes: stdout.isTTY,
      output,
      redactor,
      signal: stop.signal,
    })
} catch (error) {
  const { exitCode, line } = formatError(error)
  output.failure(line)
  process.exitCode = stop.signal.aborted ? exitCodes.cancelled : exitCode
}
// A terminal that was read from would keep the program running.
stdin.pause()
