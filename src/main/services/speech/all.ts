import type { WorkerUrl } from '../../deps.ts'
import { createSpeech } from './speech.ts'
import { createSpeechOutputWorker } from './speech-output-worker.ts'
import type { SpeakingParts, SpeechService } from './types.ts'

export type AllSpeechDeps = Omit<SpeakingParts, 'spoken'> & { readonly workerUrl: WorkerUrl }

/** Creates the narration service with its audio worker. */
export const createAllSpeech = (deps: AllSpeechDeps): SpeechService =>
  createSpeech({ ...deps, spoken: createSpeechOutputWorker(deps.workerUrl) })
