import { engineNames } from '../../shared/service/engine-names.ts'
import type {
  AudioKind,
  AudioProblem,
  SpeechOutcome,
  SpeechProgress,
  SpeechRequest,
  SpeechWorkerData,
} from '../protocol.ts'
import { createEngineWorker } from './worker-client.ts'
import type { EngineProblem } from './worker-messages.ts'

/** A transcription that ended without a text. */
export class SpeechFailure extends Error {
  readonly trouble: EngineProblem<AudioProblem>

  constructor(trouble: EngineProblem<AudioProblem>, message: string) {
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

/** What the engine needs from outside. */
export interface SpeechEngineDeps {
  readonly workerUrl: URL
  readonly modelsDir: string
  /** Transcriptions that may wait or run at a time; one more is refused as `busy`. */
  readonly maxWaiting: number
  /** Milliseconds without any sign of the worker after which it is taken for dead and replaced. */
  readonly stallMs: number
  /** Milliseconds without work after which the worker ends: a loaded model holds several hundred megabytes. */
  readonly idleMs: number
}

/** Makes the engine; the worker starts with the first transcription and again after a crash. */
export function createSpeechEngine(deps: SpeechEngineDeps): SpeechEngine {
  const data: SpeechWorkerData = { modelsDir: deps.modelsDir }
  const worker = createEngineWorker<SpeechRequest, SpeechProgress, SpeechOutcome, AudioProblem>({
    ...deps,
    data,
    jobs: 'transcriptions',
    fail: (trouble, reason) => new SpeechFailure(trouble, reason),
  })
  return {
    name: engineNames.speech,
    transcribe: ({ kind, audio, signal, onStart, onDelta }) =>
      worker.run(
        { kind, audio },
        {
          signal,
          transfer: [audio.buffer],
          onProgress(progress) {
            if (progress.type === 'started') onStart?.()
            else onDelta?.(progress.text)
          },
        },
      ),
    stop: () => worker.stop(),
  }
}
