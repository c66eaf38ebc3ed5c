import { stat } from 'node:fs/promises'
import type { OpenProcess } from '../../../../system/own-process/program.ts'
import { AppError } from '../../../errors.ts'
import { errorOf } from '../../../platform/workers/failed.ts'
import { createWorkerClient, heapLimits } from '../../../platform/workers/client.ts'
import type { DocumentAnswer, DocumentRequest } from './messages.ts'

/** Client of the documents worker, which is stopped while idle. */
export interface DocumentWorkerClient {
  ask<Type extends DocumentAnswer['type']>(
    request: DocumentRequest,
    type: Type,
  ): Promise<Extract<DocumentAnswer, { type: Type }>>
  forget(path: string): Promise<void>
  close(): Promise<void>
}

/**
 * Milliseconds after which an idle worker is stopped: an open document and two libraries take some hundred megabytes.
 */
const idleMs = 60_000

/** Maximum number of tries of a request when another request ends the worker. */
const maxTries = 3

/** Maximum memory of a worker in bytes: twice the largest file that is split, since changing it copies it. */
const maxMemory = 1_600_000_000

/**
 * Bytes by which the process of a worker may grow for one file: a fixed amount, plus an amount for each of its bytes.
 * Page images expand to hundreds of times their size in the file; inspecting a file unpacks only its texts. A kilobyte
 * that expands to gigabytes is stopped long before.
 */
const growth = {
  facts: { baseBytes: 350_000_000, perByte: 100 },
  other: { baseBytes: 900_000_000, perByte: 250 },
} as const

/**
 * Creates the client. The first call starts the worker, in its own process if `openProcess` is given (for work on
 * files). `timeoutMs` is the time limit for one reply.
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
      if (!isOf(answer, type))
        throw new Error(`${name}: unexpected response of type ${answer.type}`)
      return answer
    } finally {
      waiting -= 1
      if (waiting === 0) rest = setTimeout(end, idleMs).unref()
    }
  }

  /** Repeats the request with the next worker if another file's request ended the worker. */
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
  // The worker reports a missing file.
  const bytes = await stat(request.path).then(
    ({ size }) => size,
    () => 0,
  )
  return Math.min(maxMemory, baseBytes + perByte * bytes)
}

/**
 * No regular file expands to gigabytes or takes minutes to inspect: the file is damaged, and a retry would not help.
 */
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
