// What other domains use of this one's stores; workers load it without the services.

export { latestJob } from './jobs.ts'
export { briefOf } from './meetings-brief.ts'
export { indexMeeting } from './meetings-search.ts'
export { transcriptsOf } from './transcripts.ts'
