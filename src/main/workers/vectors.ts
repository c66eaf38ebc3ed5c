import { mkdirSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openReadOnly } from '../platform/database/open-file.ts'
import { openIndexes } from '../domains/library/store/semantic-search.ts'
import {
  countItems,
  cutItem,
  surveyItems,
} from '../domains/library/store/semantic-pending-items.ts'
import type { MeaningAnswers, MeaningRequest } from '../domains/library/store/semantic-types.ts'
import { endMessage, failed, type WorkerRequest } from '../platform/workers/messages.ts'

/** Data that the vector worker is started with. */
export interface VectorsWorkerData {
  /** Path of the database file. */
  readonly path: string
  /** Folder of the indexes; null if nothing can be written. */
  readonly folder: string | null
}

/** Milliseconds of work before another request gets its turn: a search does not wait for a survey of pending items. */
const slice = 8

const { path, folder } = workerData as VectorsWorkerData
const port = parentPort
if (!port) throw new Error('This program must run as a worker')
if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 })
const db = openReadOnly(path)
const indexes = openIndexes(db, folder)

type Steps = Generator<undefined, MeaningAnswers[keyof MeaningAnswers]>
// Requests take turns. Those for one index must not mix, because each may update it: a request waits for older ones of its index.
const running: { readonly id: number; readonly index: string | null; readonly steps: Steps }[] = []
let scheduled = false

port.on('message', (message: WorkerRequest | typeof endMessage) => {
  if (message === endMessage) {
    running.length = 0
    return port.close()
  }
  const request = message.request as MeaningRequest
  const index = 'index' in request ? String(request.index.id) : null
  running.push({ id: message.id, index, steps: stepsOf(request) })
  schedule()
})

function* stepsOf(request: MeaningRequest): Steps {
  switch (request.ask) {
    case 'search':
      return yield* indexes.search(request)
    case 'locate':
      return yield* indexes.locate(request)
    case 'survey':
      return yield* surveyItems(db, request)
    case 'count':
      return yield* countItems(db, request)
    case 'chunks':
      return yield* cutItem(db, request)
    case 'warm':
      return yield* indexes.warm(request.index)
    case 'forget':
      indexes.forget(request.index)
      return null
  }
}

function schedule(): void {
  if (scheduled || running.length === 0) return
  scheduled = true
  setImmediate(() => {
    scheduled = false
    const busy = new Set<string>()
    for (const each of running.slice()) {
      if (each.index !== null && busy.has(each.index)) continue
      if (each.index !== null) busy.add(each.index)
      advance(each)
    }
    schedule()
  })
}

function advance(each: (typeof running)[number]): void {
  const until = performance.now() + slice
  try {
    do {
      const step = each.steps.next()
      if (step.done !== true) continue
      running.splice(running.indexOf(each), 1)
      port?.postMessage({ id: each.id, ok: true, value: step.value })
      return
    } while (performance.now() < until)
  } catch (error) {
    running.splice(running.indexOf(each), 1)
    port?.postMessage(failed(each.id, error))
  }
}
