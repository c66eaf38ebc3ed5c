import { Worker } from 'node:worker_threads'
import type {
  AudioKind,
  SpeechEvent,
  SpeechOutcome,
  SpeechRequest,
  SpeechTrouble,
  SpeechWorkerData,
} from '../protocol.ts'

/** A transcription that ended without a text. */
export class SpeechFailure extends Error {
  readonly trouble: SpeechTrouble | 'busy'

  constructor(trouble: SpeechTrouble | 'busy', message: string) {
    super(message)
    this.name = 'SpeechFailure'
    this.trouble = trouble
  }
}

/** A whole sound file and who listens to its transcription. */
export interface SpeechJob {
  readonly kind: AudioKind
  /** Handed over to the worker: empty afterwards. */
  readonly audio: Uint8Array<ArrayBuffer>
  readonly signal: AbortSignal
  /** The file was decoded and the model is about to listen. */
  onStart?(): void
  onDelta?(text: string): void
}

/** The speech engine of this computer, in its own worker; one transcription at a time, the others wait their turn. */
export interface SpeechEngine {
  /** What answers say about who answered, in words for people. */
  readonly name: string
  /** Throws {@link SpeechFailure}. */
  transcribe(job: SpeechJob): Promise<SpeechOutcome>
  stop(): Promise<void>
}

const stopping = (): SpeechFailure => new SpeechFailure('cancelled', 'The service is stopping')

interface Task {
  readonly id: number
  readonly job: SpeechJob
  resolve(outcome: SpeechOutcome): void
  reject(error: SpeechFailure): void
}

/** What the engine needs from outside. */
export interface SpeechEngineDeps {
  readonly workerUrl: URL
  readonly modelsDir: string
  /** Transcriptions that may wait or run at a time; one more is refused as `busy`. */
  readonly mostWaiting: number
  /** Milliseconds without any sign of the worker after which it is taken for dead and replaced. */
  readonly stallMs: number
  /** Milliseconds without work after which the worker ends: a loaded model holds several hundred megabytes. */
  readonly idleMs: number
}

/** Makes the engine; the worker starts with the first transcription and again after a crash. */
export function createSpeechEngine(deps: SpeechEngineDeps): SpeechEngine {
  const queue: Task[] = []
  let running: Task | undefined
  let worker: Worker | undefined
  let lastId = 0
  let stopped = false

  let timer: NodeJS.Timeout | undefined

  /** Called at every sign of the worker: one that stalls is replaced, one that idles gives its memory back. */
  const watch = (): void => {
    clearTimeout(timer)
    if (!worker || stopped) return
    timer = running ? setTimeout(replace, deps.stallMs) : setTimeout(rest, deps.idleMs)
    timer.unref()
  }

  /** Its exit fails the transcription it had. */
  const replace = (): void => void worker?.terminate()

  const rest = (): void => {
    const idle = worker
    // Forgotten first: a transcription that comes now must not be given to a worker that is ending.
    worker = undefined
    void idle?.terminate()
  }

  const finish = (settle: (task: Task) => void): void => {
    const task = running
    running = undefined
    if (task) settle(task)
    next()
    watch()
  }

  const onEvent = (event: SpeechEvent): void => {
    if (running?.id !== event.id) return
    const { job } = running
    watch()
    if (event.type === 'started') job.onStart?.()
    else if (event.type === 'delta') job.onDelta?.(event.text)
    else if (event.type === 'done') finish((task) => task.resolve(event.outcome))
    else finish((task) => task.reject(new SpeechFailure(event.trouble, event.reason)))
  }

  const startWorker = (): Worker => {
    const data: SpeechWorkerData = { modelsDir: deps.modelsDir }
    const fresh = new Worker(deps.workerUrl, { workerData: data })
    let spoke = false
    let end = new SpeechFailure('failed', 'The speech worker ended')
    fresh.on('message', (event: SpeechEvent) => {
      spoke = true
      onEvent(event)
    })
    fresh.on('error', (error) => {
      // One that fails before it ever spoke lacks a part of itself; one that spoke met something it could not take.
      end = new SpeechFailure(spoke ? 'failed' : 'engine-unavailable', String(error))
    })
    fresh.on('exit', () => {
      if (worker !== fresh) return
      worker = undefined
      finish((task) => task.reject(stopped ? stopping() : end))
    })
    return fresh
  }

  const post = (request: SpeechRequest, transfer: ArrayBuffer[] = []): void => {
    worker ??= startWorker()
    worker.postMessage(request, transfer)
  }

  function next(): void {
    if (running || stopped) return
    running = queue.shift()
    if (!running) return
    const { id, job } = running
    const { kind, audio } = job
    post({ type: 'transcribe', id, kind, audio }, [audio.buffer])
    watch()
  }

  const abandon = (task: Task): void => {
    const place = queue.indexOf(task)
    if (place >= 0) {
      queue.splice(place, 1)
      task.reject(new SpeechFailure('cancelled', 'The caller went away'))
    } else if (running === task) {
      // The worker answers `failed` between two tokens; until then the model is not free.
      post({ type: 'cancel', id: task.id })
    }
  }

  return {
    name: 'Moonshine tiny (English)',
    async transcribe(job) {
      const taken = queue.length + (running ? 1 : 0)
      if (taken >= deps.mostWaiting)
        throw new SpeechFailure('busy', `${taken} transcriptions are waiting already`)
      if (stopped || job.signal.aborted)
        throw new SpeechFailure('cancelled', 'The service is stopping or the caller went away')
      const { promise, resolve, reject } = Promise.withResolvers<SpeechOutcome>()
      const task: Task = { id: ++lastId, job, resolve, reject }
      const onAbort = (): void => abandon(task)
      job.signal.addEventListener('abort', onAbort, { once: true })
      queue.push(task)
      next()
      try {
        return await promise
      } finally {
        job.signal.removeEventListener('abort', onAbort)
      }
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      for (const task of queue.splice(0)) task.reject(stopping())
      await worker?.terminate()
    },
  }
}
