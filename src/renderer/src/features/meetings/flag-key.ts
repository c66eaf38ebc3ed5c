import type { Flag } from '../../../../shared/model/meeting.ts'

/** A flag as the catalogues name it, below `transcript.flags.`. */
export const flagKey = (flag: Flag): string =>
  flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
