import type { Flag } from '../../../../../shared/model/meeting.ts'

/** Returns the message key of a flag, below `transcript.flags.`. */
export const flagKey = (flag: Flag): string =>
  flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
