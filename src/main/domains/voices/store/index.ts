// What other domains use of this one's stores; workers load it without the services.

export { markAllUnindexed } from './speech-index.ts'
export { speechBriefOf } from './speech-rows.ts'
export { indexSample, sampleTextSql } from './voice-samples.ts'
