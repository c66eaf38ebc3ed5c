import type { Voices } from '../../services/voices/voices.ts'
import type { Handlers } from '../router.ts'

/** Voices: the service's list and what is kept of it. */
export const voiceHandlers = (
  voices: Voices,
): Pick<Handlers, Extract<keyof Handlers, `voices.${string}`>> => ({
  'voices.list': (request) => voices.list(request),
})
