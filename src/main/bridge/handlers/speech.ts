import type { SpeechService } from '../../services/speech/types.ts'
import type { Handlers } from '../router.ts'

/** Texts spoken with a voice. */
export const speechHandlers = (
  speech: SpeechService,
): Pick<Handlers, Extract<keyof Handlers, `speech.${string}`>> => ({
  'speech.create': async (request) => ({ speech: await speech.create(request) }),
  'speech.get': ({ id, places }) => ({
    speech: speech.get(id),
    places: places ? speech.places(id) : [],
  }),
  'speech.pieces': ({ id, from, limit }) => speech.pieces(id, from, limit),
  'speech.setText': async ({ id, text }) => ({ speech: await speech.setText(id, text) }),
  'speech.configure': async (request) => ({ speech: await speech.configure(request) }),
  'speech.editPiece': async (request) => ({ speech: await speech.editPiece(request) }),
  'speech.speak': ({ id, pieceIds }) => speech.speak(id, pieceIds),
  'speech.stop': async ({ id }) => ({ speech: await speech.stop(id) }),
  'speech.takes': ({ id, pieceId }) => ({ takes: speech.takes(id, pieceId) }),
  'speech.choose': ({ id, takeId }) => ({ speech: speech.choose(id, takeId) }),
  'speech.favour': ({ id, takeId, favourite }) => ({ take: speech.favour(id, takeId, favourite) }),
  'speech.check': async ({ id, pieceIds }) => ({ speech: await speech.check(id, pieceIds) }),
  'speech.join': async ({ id }) => ({ speech: await speech.join(id) }),
  'speech.export': (request) => speech.export(request),
  'speech.duplicate': async ({ id, title }) => ({ speech: await speech.duplicate(id, title) }),
  'speech.recentVoices': () => speech.recentVoices(),
})
