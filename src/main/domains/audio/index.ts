// What other domains use of this one.

export { transcribeOnce } from './service/transcription/transcription-request.ts'
export { transcriptText } from './service/transcript-text.ts'
export type { Meetings } from './service/meetings.ts'
