import { engineNames } from '../../shared/provider/engine-names.ts'
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

/** Failure of a transcription. */
export class SpeechFailure extends Error {
  readonly trouble: EngineProblem<AudioProblem>

  constructor(trouble: EngineProblem<AudioProblem>, message: string) {
    super(message)
    this.name = 'SpeechFailure'
    this.trouble = trouble
  }
}

/** Transcription job for a whole audio file. */
export interface SpeechJob {
  readonly kind: AudioKind
  /** Transferred to the worker; empty afterwards. */
  readonly audio: Uint8Array<ArrayBuffer>
  readonly signal: AbortSignal
  /** Called when the file was decoded and transcription is about to start. */
  onStart?(): void
  onDelta?(text: string): void
}

/** On-device speech engine in its own worker; runs one transcription at a time and queues the others. */
export interface SpeechEngine {
  /** Engine name in responses, for people. */
  readonly name: string
  /** Throws {@link SpeechFailure}. */
  transcribe(job: SpeechJob): Promise<SpeechOutcome>
  stop(): Promise<void>
}

export interface SpeechEngineDeps {
  readonly workerUrl: URL
  readonly modelsDir: string
  /** Maximum number of waiting and running transcriptions; further ones are rejected as `busy`. */
  readonly maxWaiting: number
  /** Milliseconds without any message from the worker after which it counts as unresponsive and is replaced. */
  readonly stallMs: number
  /** Idle milliseconds after which the worker ends: a loaded model takes several hundred megabytes. */
  readonly idleMs: number
}

/** Creates the engine; the worker starts with the first transcription and restarts after a crash. */
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
