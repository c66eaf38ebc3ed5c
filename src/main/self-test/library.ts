import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { captureFrameHeader, capturePath } from '../../shared/contract/transport.ts'
import { localAccountId } from '../../shared/provider/profiles.ts'
import { largeBlock, largeHashes } from '../../shared/self-test/large-file.ts'
import type { CoreCheckId } from '../../shared/self-test/checks.ts'
import type { WorkerUrl } from '../deps.ts'
import { AppError } from '../errors.ts'
import { discard } from '../../system/file-moves.ts'
import { storePaths } from '../platform/database/paths.ts'
import { createWorkerClient } from '../platform/workers/client.ts'
import type { DatabaseCheckAnswer, DatabaseCheckRequest } from '../workers/database-check.ts'
import { fail, pass, rounded, type Check, type CheckScope } from './check.ts'
import { pdfSample, speechSample, tone } from './samples.ts'
import { scratchRequest, type Scratch } from './temporary-folder.ts'

type LibraryCheckId = Extract<
  CoreCheckId,
  | 'large-file'
  | 'database'
  | 'local-service'
  | 'pdf'
  | 'search'
  | 'ocr'
  | 'speech'
  | 'embeddings'
  | 'recording'
  | 'export'
  | 'archive'
>

/** Search terms, one in a spaced script and one in Han: the index tokenizes them differently. */
const searched = ['quartzite', '石英'] as const
/** Length of the test recording in seconds, and its sample rate. */
const recorded = { seconds: 2, rate: 48_000 } as const
/** Minimum difference in similarity between texts on the same topic and texts on different topics. */
const minCloser = 0.05
/** Size of the large file in mebibytes. */
const largeMb = 500

/** Checks that use the temporary library as a user would: through the routes of the app. */
export function libraryChecks(deps: {
  readonly workerUrl: WorkerUrl
}): Readonly<Record<LibraryCheckId, Check>> {
  // Results of one check that another one needs, by library.
  const document = once(receiveDocument)
  const meeting = once(recordTone)

  return {
    async database({ scratch }) {
      const { home, call } = await scratch()
      const { storage } = await call('app.info', {})
      if (storage.state !== 'ok') return fail('wrongResult')
      // Written first, so that there is something to verify.
      await call('settings.update', { theme: 'dark' })
      if ((await call('settings.get', {})).theme !== 'dark') return fail('wrongResult')
      const path = storePaths(home).database
      const checker = createWorkerClient<DatabaseCheckRequest, DatabaseCheckAnswer>({
        url: deps.workerUrl('database-check'),
        name: 'Database check',
      })
      try {
        const answer = await checker.call({ task: 'check', path })
        const isIntact = answer.task === 'check' && answer.trouble === null
        return isIntact && (await usesLog(path)) ? pass() : fail('wrongResult')
      } finally {
        await checker.close()
      }
    },

    async 'large-file'({ scratch, signal }) {
      const { home, take } = await scratch()
      const path = join(home, 'self-test.bin')
      const from = performance.now()
      try {
        await writeLarge(path, signal)
        const { sha256 } = await take(path)
        if (sha256 !== largeHashes[largeMb]) return fail('wrongResult')
        return pass('moved', { size: largeMb, seconds: rounded((performance.now() - from) / 1000) })
      } finally {
        await discard(path)
      }
    },

    async 'local-service'({ scratch }) {
      const { call } = await scratch()
      const found = await call('accounts.check', { id: localAccountId, callId: callId() })
      return found.outcome === 'ok' ? pass() : fail('broke', { code: found.error.code })
    },

    async pdf(scope) {
      const scratch = await scope.scratch()
      const { id, pages, isText } = await document(scope)
      if (pages !== pdfSample.pages || !isText) return fail('wrongResult')
      // The content of the first page makes its image larger than that of the empty one.
      const [first, empty] = await Promise.all(
        [1, 2].map((page) => scratch.call('documents.image', { id, page, width: 1240 })),
      )
      const isDrawn = first && empty && first.media.bytes > empty.media.bytes * 1.5
      return isDrawn ? pass() : fail('wrongResult')
    },

    async search(scope) {
      const scratch = await scope.scratch()
      const { id } = await document(scope)
      const found = await Promise.all(
        searched.map((query) => scratch.call('library.search', { query })),
      )
      const isFound = found.every(({ hits }) => hits.some(({ itemId }) => itemId === id))
      return isFound ? pass() : fail('wrongResult')
    },

    async ocr(scope) {
      const scratch = await scope.scratch()
      const { id } = await document(scope)
      const { media } = await scratch.call('documents.image', { id, page: 1, width: 1240 })
      const value = await runOperation(scope, 'layout.parse', { file: media.id })
      return JSON.stringify(value).toLowerCase().includes(pdfSample.word)
        ? pass('recognized')
        : fail('wrongResult')
    },

    async speech(scope) {
      const scratch = await scope.scratch()
      const { id: mediaId } = await scratch.intake(speechSample.name, speechSample.bytes())
      const { meeting: imported } = await scratch.call('meetings.import', { mediaId })
      const { id } = imported
      const text = await scratch.until(async () => {
        const { meeting: now } = await scratch.call('meetings.get', { id })
        const { lines, segments } = await scratch.call('meetings.lines', { id })
        const error = now.error ?? segments.find(({ state }) => state === 'failed')?.error
        if (error) throw new AppError(error.code, 'The sample could not be transcribed')
        const { analysedMs, waiting } = now.completeness
        const isOver = now.state === 'stopped' && analysedMs >= now.durationMs && waiting === 0
        return isOver ? lines.map((line) => line.text).join(' ') : null
      }, scope.signal)
      return text.toLowerCase().includes(speechSample.word)
        ? pass('recognized')
        : fail('wrongResult')
    },

    async embeddings(scope) {
      const value = await runOperation(scope, 'embeddings.create', {
        model: 'embedding-3',
        dimensions: 512,
        input: ['The cat sleeps.', 'A kitten is asleep.', 'Interest rates rose.'],
      })
      const { vectors } = value as { readonly vectors?: readonly (readonly number[])[] }
      const [cat, kitten, rates] = vectors ?? []
      if (!cat || !kitten || !rates) return fail('wrongResult')
      return cosine(cat, kitten) > cosine(cat, rates) + minCloser ? pass() : fail('wrongResult')
    },

    async recording(scope) {
      const scratch = await scope.scratch()
      const id = await meeting(scope)
      const answer = await scratch.fetch(
        scratchRequest(`/media/meeting-${id}`, { headers: { range: 'bytes=0-99' } }),
      )
      const bytes = Buffer.from(await answer.arrayBuffer())
      const total = Number(answer.headers.get('content-range')?.split('/')[1])
      const expected = recorded.seconds * recorded.rate * 2
      const isWhole =
        answer.status === 206 &&
        bytes.length === 100 &&
        bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
        total >= expected
      return isWhole ? pass() : fail('wrongResult')
    },

    async export(scope) {
      const scratch = await scope.scratch()
      const id = await meeting(scope)
      const { media } = await scratch.call('meetings.export', {
        id,
        format: 'docx',
        language: 'en',
        options: {},
      })
      const file = Buffer.from(
        await (await scratch.fetch(scratchRequest(`/media/${media.id}`))).arrayBuffer(),
      )
      // A Word file is a zip that contains its document's name.
      const isWord = file.subarray(0, 2).toString() === 'PK' && file.includes('word/document.xml')
      return isWord ? pass() : fail('wrongResult')
    },

    async archive({ scratch, signal }) {
      const { call, until } = await scratch()
      await call('archive.export', {})
      const job = await until(async () => {
        const { job: now } = await call('archive.state', {})
        return now && now.state !== 'running' ? now : null
      }, signal)
      if (job.error) throw new AppError(job.error.code, 'The archive could not be written')
      const { written } = job
      return written?.verified === true && written.missing === 0 ? pass() : fail('wrongResult')
    },
  }
}

async function writeLarge(path: string, signal: AbortSignal): Promise<void> {
  const block = largeBlock()
  const file = await open(path, 'wx', 0o600)
  try {
    for (let written = 0; written < largeMb; written++) {
      signal.throwIfAborted()
      await file.writeFile(block)
    }
  } finally {
    await file.close()
  }
}

const callId = (): string => `self-test-${Math.random().toString(36).slice(2, 12).padEnd(8, '0')}`

/** Creates a value in a temporary library at the first call and returns the same one afterwards. A failure is not cached. */
function once<T>(make: (scope: CheckScope) => Promise<T>): (scope: CheckScope) => Promise<T> {
  const made = new WeakMap<Scratch, T>()
  return async (scope) => {
    const scratch = await scope.scratch()
    const known = made.get(scratch)
    if (known !== undefined) return known
    const fresh = await make(scope)
    made.set(scratch, fresh)
    return fresh
  }
}

/** Imports the PDF and waits until its pages have been inspected. */
async function receiveDocument({ scratch, signal }: CheckScope) {
  const { intake, call, until } = await scratch()
  const { id: mediaId } = await intake(pdfSample.name, pdfSample.bytes())
  const { document } = await call('documents.create', { mediaId, title: searched.join(' ') })
  const facts = await until(
    async () => (await call('documents.get', { id: document.id })).document.facts,
    signal,
  )
  return { id: document.id, pages: facts.pages, isText: (facts.textChars[0] ?? 0) > 0 }
}

/** Records a tone as a page does: a session, blocks of samples, the end. Returns the meeting's ID. */
async function recordTone({ scratch }: CheckScope): Promise<string> {
  const { call, fetch } = await scratch()
  const { meeting } = await call('meetings.begin', {
    roles: ['mic'],
    sampleRate: recorded.rate,
    labels: [''],
  })
  const samples = tone(recorded.seconds)
  const block = recorded.rate / 10
  for (let from = 0; from < samples.length; from += block) {
    const answer = await fetch(
      scratchRequest(capturePath + meeting.id, {
        method: 'PUT',
        headers: { [captureFrameHeader]: String(from) },
        body: new Uint8Array(samples.slice(from, from + block).buffer),
      }),
    )
    const reply = (await answer.json()) as { readonly ok: boolean }
    if (!reply.ok) throw new AppError('INTERNAL', 'A block of audio was rejected')
  }
  await call('meetings.stop', { id: meeting.id, recordedMs: recorded.seconds * 1000 })
  return meeting.id
}

/** Runs an operation with the on-device account and waits for its result. */
async function runOperation(
  { scratch, signal }: CheckScope,
  operation: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { call, until } = await scratch()
  const { id } = await call('runs.start', {
    operation,
    input,
    accountId: localAccountId,
    streamId: callId(),
  })
  const run = await until(async () => {
    const now = await call('runs.get', { id })
    return now.state === 'running' ? null : now
  }, signal)
  if (run.error) throw new AppError(run.error.code, 'The operation failed')
  return run.value
}

/** Whether the header of a database file specifies write-ahead logging (bytes 18 and 19). */
async function usesLog(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(20), 0, 20, 0)
    return buffer[18] === 2 && buffer[19] === 2
  } finally {
    await file.close()
  }
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}
