// What other domains use of this one's stores; workers load it without the services.

export { briefOf } from './meetings-brief.ts'
export { isHeld } from './meetings-segments.ts'
export { indexMeeting } from './meetings-lines.ts'
