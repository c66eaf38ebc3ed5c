import type { SpeechService } from '../service/speech/types.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of speech synthesis. */
export const speechHandlers = (
  speech: SpeechService,
): Pick<Handlers, Extract<keyof Handlers, `speech.${string}`>> => ({
  'speech.create': async (request) => ({ speech: await speech.create(request) }),
  'speech.get': ({ id, places }) => ({
    speech: speech.get(id),
    places: places ? speech.places(id) : [],
  }),
  'speech.segments': ({ id, from, limit }) => speech.segments(id, from, limit),
  'speech.setText': async ({ id, text }) => ({ speech: await speech.setText(id, text) }),
  'speech.configure': async (request) => ({ speech: await speech.configure(request) }),
  'speech.editSegment': async (request) => ({ speech: await speech.editSegment(request) }),
  'speech.speak': ({ id, segmentIds }) => speech.speak(id, segmentIds),
  'speech.stop': async ({ id }) => ({ speech: await speech.stop(id) }),
  'speech.takes': ({ id, segmentId }) => ({ takes: speech.takes(id, segmentId) }),
  'speech.choose': ({ id, takeId }) => ({ speech: speech.choose(id, takeId) }),
  'speech.favour': ({ id, takeId, favourite }) => ({ take: speech.favour(id, takeId, favourite) }),
  'speech.check': async ({ id, segmentIds }) => ({ speech: await speech.check(id, segmentIds) }),
  'speech.join': async ({ id }) => ({ speech: await speech.join(id) }),
  'speech.export': (request) => speech.export(request),
  'speech.duplicate': async ({ id, title }) => ({ speech: await speech.duplicate(id, title) }),
  'speech.recentVoices': () => speech.recentVoices(),
})
