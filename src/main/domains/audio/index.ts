// What other domains use of this one.

export { transcribeOnce } from './service/transcribe/transcribe-once.ts'
export type { Meetings } from './service/types.ts'
