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
import { createPdfFiles, pdfParsingOperations } from './locked-pdf.ts'
import { exitCodes, formatError } from './outcome.ts'
import { createOutput, type Output } from './output.ts'
import { reach } from './target.ts'
import { UsageError } from './usage-error.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KnowledgeDocument } from '../main/provider-client/document-replies.ts'
import type { ServiceTarget } from '../main/provider-client/types.ts'
import type { Api } from '../main/provider-client/api.ts'
import { AppError } from '../main/errors.ts'
import { limits } from '../shared/provider/limits.ts'
import { readFile } from 'node:fs/promises'

interface IndexingDeps {
  readonly api: Pick<Api, 'documents' | 'knowledge'>
  readonly target: ServiceTarget
  readonly signal: AbortSignal
  /** Prints text for the user. */
  say(text: string): void
}

/** Documents that a request affects, by their IDs or those of their knowledge bases. */
interface Watched {
  readonly bases: readonly string[]
  readonly documents: readonly string[]
}

type Input = Readonly<Record<string, unknown>>

/** Milliseconds between two checks of the indexing status. */
const pauseMs = 200

const texts = (value: unknown): readonly string[] =>
  [value].flat().filter((one) => typeof one === 'string')

/** Returns what a request makes the provider index; null if it indexes nothing. */
function indexedBy(operation: string, input: Input): Watched | null {
  if (operation === 'documents.upload') return { bases: texts(input['knowledgeId']), documents: [] }
  if (operation === 'knowledge.update') return { bases: texts(input['id']), documents: [] }
  return operation === 'documents.embed' ? { bases: [], documents: texts(input['id']) } : null
}

/** Returns what a request searches, because documents that are not indexed are not found; null if it searches nothing. */
function searchedBy(operation: string, input: Input): Watched | null {
  const { retrieval } = input
  if (operation === 'knowledge.retrieve')
    return { bases: texts(input['knowledgeIds']), documents: [] }
  if (operation !== 'agents.chat' || typeof retrieval !== 'object' || retrieval === null)
    return null
  return {
    bases: 'knowledgeIds' in retrieval ? texts(retrieval.knowledgeIds) : [],
    documents: [],
  }
}

const counted = (n: number): string => (n === 1 ? '1 document' : `${n} documents`)
const isOpen = ({ state }: KnowledgeDocument): boolean => state === 'running'

/** Returns the complete input: the given JSON, overridden by the flags. Throws UsageError. */
async function readInput(
  command: Extract<Command, { type: 'run' }>,
  stdin: NodeJS.ReadableStream,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await jsonText(command.json, stdin)
  if (text === null) return command.flags
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError('The JSON is invalid')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('The JSON must be an object with the fields of the operation')
  return { ...value, ...command.flags }
}

async function jsonText(
  source: string | null,
  stdin: NodeJS.ReadableStream,
): Promise<string | null> {
  if (source === null) return null
  if (source === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString('utf8')
  }
  if (!source.startsWith('@')) return source
  try {
    return await readFile(resolve(source.slice(1)), 'utf8')
  } catch {
    throw new UsageError('The --json file can’t be read')
  }
}

async function fetchDocuments(
  { bases, documents }: Watched,
  { api, target, signal }: IndexingDeps,
): Promise<readonly KnowledgeDocument[]> {
  const all: KnowledgeDocument[] = []
  const size = limits.list.pageSize
  for (const knowledgeId of bases)
    for (let page = 1; ; page++) {
      const { value } = await api.documents.list(target, { knowledgeId, page, size }, { signal })
      all.push(...value.documents)
      if (value.documents.length === 0 || page * size >= value.total) break
    }
  for (const id of documents) all.push((await api.documents.get(target, { id }, { signal })).value)
  return all
}

/** Reports which knowledge bases have no content to find. */
async function reportEmpty(watched: Watched, deps: IndexingDeps): Promise<void> {
  const { api, target, signal, say } = deps
  for (const id of watched.bases) {
    const { value } = await api.documents.list(target, { knowledgeId: id, size: 1 }, { signal })
    if (value.total > 0) continue
    const base = await api.knowledge.get(target, { id }, { signal })
    say(`Knowledge base ${base.value.name} has no documents.\n`)
  }
}

/** Reports how many documents are not indexed yet. */
async function reportOpen(watched: Watched, deps: IndexingDeps): Promise<void> {
  const open = (await fetchDocuments(watched, deps)).filter(isOpen).length
  if (open === 0) return
  deps.say(
    `${counted(open)} ${open === 1 ? 'is' : 'are'} not indexed yet. A search or upload without --no-wait indexes the rest.\n`,
  )
}

/** Waits until all documents are indexed, and reports the result of each. Throws CANCELLED. */
async function awaitIndexed(watched: Watched, deps: IndexingDeps): Promise<void> {
  const { signal, say } = deps
  try {
    let open = (await fetchDocuments(watched, deps)).filter(isOpen)
    const total = open.length
    if (total > 0) say(`Indexing ${counted(total)}…\n`)
    for (let done = 0; open.length > 0;) {
      await sleep(pauseMs, undefined, { signal })
      const now = new Map((await fetchDocuments(watched, deps)).map((one) => [one.id, one]))
      for (const { id, name } of open) {
        const { state, failure } = now.get(id) ?? { state: 'failed', failure: null }
        if (state === 'running') continue
        done += 1
        if (state === 'failed')
          say(`Not indexed: ${name} (${failure?.message ?? 'no longer exists'})\n`)
        else say(`Indexed ${done} of ${total}: ${name}\n`)
      }
      open = open.filter(({ id }) => now.get(id)?.state === 'running')
    }
  } catch (error) {
    if (!signal.aborted) throw error
    say('Indexing stopped. The next search or upload resumes it.\n')
    throw new AppError('CANCELLED', 'Stopped', { cause: error })
  }
}

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
