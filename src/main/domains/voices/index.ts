// What other domains use of this one.

export type { SpeechService } from './service/speech/types.ts'
export type { Voices } from './service/voices/voices.ts'
