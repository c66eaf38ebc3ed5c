import { parentPort, workerData } from 'node:worker_threads'
import { openReadOnly } from '../platform/database/open-file.ts'
import { AppError } from '../errors.ts'
import {
  answerSearch,
  isTypedOn,
  type SearchAnswer,
  type SearchRequest,
} from '../domains/library/store/search-request.ts'
import {
  endMessage,
  failed,
  type WorkerAnswer,
  type WorkerRequest,
} from '../platform/workers/messages.ts'

/** Data that the search worker is started with. */
export interface SearchWorkerData {
  readonly path: string
}

/** Milliseconds that a query runs before newer ones may overtake it. */
const slice = 8

interface Running {
  readonly id: number
  readonly request: SearchRequest
  readonly steps: Generator<undefined, SearchAnswer>
}

const { path } = workerData as SearchWorkerData
const port = parentPort
if (!port) throw new Error('This program must run as a worker')
const db = openReadOnly(path)
// Newest last: the last one runs, so that the current input never waits for earlier input.
const queries: Running[] = []
let scheduled = false

port.on('message', (message: WorkerRequest | typeof endMessage) => {
  if (message === endMessage) {
    queries.length = 0
    return port.close()
  }
  const { id } = message
  const request = message.request as SearchRequest
  for (const older of queries.filter((each) => isTypedOn(request, each.request))) cancel(older)
  queries.push({ id, request, steps: answerSearch(db, request) })
  schedule()
})

function schedule(): void {
  if (scheduled || queries.length === 0) return
  scheduled = true
  // A turn of the event loop between slices lets newer queries arrive.
  setImmediate(() => {
    scheduled = false
    // Entries without an index are scanned only when no other query is waiting.
    const current = queries.findLast(({ request }) => request.in !== 'entries') ?? queries.at(-1)
    if (current) advance(current)
    schedule()
  })
}

function advance(current: Running): void {
  const until = performance.now() + slice
  try {
    do {
      const step = current.steps.next()
      if (!step.done) continue
      finish(current, { id: current.id, ok: true, value: step.value })
      return
    } while (performance.now() < until)
  } catch (error) {
    finish(current, failed(current.id, error))
  }
}

/** Ends a canceled query and releases its reader. */
function cancel(query: Running): void {
  try {
    query.steps.throw(new AppError('CANCELLED', 'A newer query replaced this one'))
  } catch (error) {
    finish(query, failed(query.id, error))
  }
}

function finish(current: Running, answer: WorkerAnswer): void {
  queries.splice(queries.indexOf(current), 1)
  port?.postMessage(answer)
}
