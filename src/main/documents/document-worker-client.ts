import { stat } from 'node:fs/promises'
import type { OpenProcess } from '../../system/own-process/program.ts'
import { AppError } from '../errors.ts'
import { errorOf } from '../audio/failed.ts'
import { createWorkerClient, heapLimits } from '../workers/client.ts'
import type { DocumentAnswer, DocumentRequest } from './messages.ts'

/** One run of the documents program, which rests while nobody asks. */
export interface DocumentWorkerClient {
  ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>>
  forget(path: string): Promise<void>
  close(): Promise<void>
}

/** A program holds an opened document and two libraries, some hundred megabytes: it ends when nobody asked for this long. */
const idleMs = 60_000

/** Times that something is asked when the program ends for another's sake. */
const maxTries = 3

/** Bytes that a program may hold: twice the largest file that is taken apart, as changing it copies it. */
const maxMemory = 1_600_000_000

/**
 * Bytes by which the process of a program may grow for one file: so much for any, and so much for each of its bytes. Pictures of pages
 * unfold to hundreds of times of what they take in the file; looking at a file unpacks its texts alone. What is a kilobyte and unfolds
 * to gigabytes is ended long before.
 */
const growth = {
  facts: { baseBytes: 350_000_000, perByte: 100 },
  other: { baseBytes: 900_000_000, perByte: 250 },
} as const

/**
 * Makes one; the program is started by its first call, with `openProcess` in a process of its own: what works on files. `timeoutMs` is
 * the longest that one answer may take.
 */
export function createDocumentWorkerClient(
  url: URL,
  name: string,
  timeoutMs: number,
  openProcess?: OpenProcess,
): DocumentWorkerClient {
  const worker = createWorkerClient<DocumentRequest, DocumentAnswer>({
    url,
    name,
    timeoutMs,
    maxMemory,
    heapMegabytes: heapLimits.document,
    openProcess,
  })
  let waiting = 0
  let running = false
  let rest: NodeJS.Timeout | undefined

  function end(): void {
    running = false
    void worker.stop()
  }

  async function ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>> {
    clearTimeout(rest)
    waiting += 1
    running = true
    try {
      const answer = await answerTo(request, await growthFor(request))
      if (answer.type === 'failed') throw errorOf(answer)
      if (!isOf(answer, type)) throw new Error(`${name} answered ${answer.type}`)
      return answer
    } finally {
      waiting -= 1
      if (waiting === 0) rest = setTimeout(end, idleMs).unref()
    }
  }

  /** What waits behind a file that ended the program is asked of the next one. */
  async function answerTo(
    request: DocumentRequest,
    bytes: number,
    tries = maxTries,
  ): Promise<DocumentAnswer> {
    try {
      return await worker.call(request, bytes)
    } catch (error) {
      const isForOther = error instanceof AppError && error.code === 'CANCELLED'
      if (isForOther && tries > 1) return answerTo(request, bytes, tries - 1)
      throw toDamagedFile(error)
    }
  }

  return {
    ask,
    async forget(path) {
      if (running) await ask({ type: 'close', path }, 'none')
    },
    async close() {
      clearTimeout(rest)
      await worker.close()
    },
  }
}

async function growthFor(request: DocumentRequest): Promise<number> {
  if (!('path' in request)) return maxMemory
  const { baseBytes, perByte } = request.type === 'facts' ? growth.facts : growth.other
  // A file that is not there is told by the program.
  const bytes = await stat(request.path).then(
    ({ size }) => size,
    () => 0,
  )
  return Math.min(maxMemory, baseBytes + perByte * bytes)
}

/** Nothing that a person wrote unfolds to gigabytes or takes minutes to be looked at: it is the file, and no other try helps. */
function toDamagedFile(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const limit = Number(error.params?.['limit'] ?? 0)
  if (error.code === 'LIMIT_EXCEEDED' && error.params?.['what'] === 'memory')
    return new AppError('DAMAGED_FILE', error.message, {
      params: { problem: 'memory', limit: Math.round(limit / 1_000_000) },
    })
  if (error.code === 'TIMEOUT')
    return new AppError('DAMAGED_FILE', error.message, {
      params: { problem: 'time', limit: Math.round(limit / 1000) },
    })
  return error
}

const isOf = <Type extends DocumentAnswer['type']>(
  answer: DocumentAnswer,
  type: Type,
): answer is Extract<DocumentAnswer, { type: Type }> => answer.type === type
