import { engineNames } from '../../shared/provider/engine-names.ts'
import type {
  AudioKind,
  AudioProblem,
  SpeechOutcome,
  SpeechProgress,
  SpeechRequest,
} from '../protocol.ts'
import { createEngineWorker, type EngineDeps } from './worker-client.ts'
import { EngineFailure, type EngineWorkerData } from './worker-messages.ts'

export class SpeechFailure extends EngineFailure<AudioProblem> {}

/** Transcription job for a whole audio file. */
interface SpeechJob {
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

export interface SpeechEngineDeps extends EngineDeps {
  /** Maximum number of waiting and running transcriptions; further ones are rejected as `busy`. */
  readonly maxWaiting: number
}

/** Creates the engine; the worker starts with the first transcription and restarts after a crash. */
export function createSpeechEngine(deps: SpeechEngineDeps): SpeechEngine {
  const data: EngineWorkerData = { modelsDir: deps.modelsDir }
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
