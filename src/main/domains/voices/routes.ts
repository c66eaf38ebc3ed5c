import type { SpeechService } from './service/speech/types.ts'
import type { Handlers } from '../../platform/bridge/router.ts'
import type { Media } from '../../../shared/model/library.ts'
import type { Clones } from './service/voices/clones.ts'
import type { Samples } from './service/voices/samples.ts'
import type { SampleTexts } from './service/voices/texts.ts'
import type { Voices } from './service/voices/voices.ts'

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
  'speech.export': (request, { signal }) => speech.export(request, signal),
  'speech.duplicate': async ({ id, title }) => ({ speech: await speech.duplicate(id, title) }),
  'speech.recentVoices': () => speech.recentVoices(),
})

/** Handlers of voices: the provider's list, its saved entries, and voices cloned here. */
export const voiceHandlers = ({
  export: exported,
  voices,
  samples,
  texts,
  clones,
}: {
  readonly voices: Voices
  readonly samples: Samples
  readonly texts: SampleTexts
  readonly clones: Clones
  /** Exports a cloned voice as one archive (a media ID with its name). */
  export(id: string): Promise<Media>
}): Pick<Handlers, Extract<keyof Handlers, `voices.${string}`>> => ({
  'voices.list': (request) => voices.list(request),
  'voices.preview': (request) => voices.preview(request),
  'voices.remove': (request) => voices.remove(request),
  'voices.samples': () => samples.list(),
  'voices.sample': ({ id }) => samples.get(id),
  'voices.createSample': (request) => samples.take(request),
  'voices.fixSample': ({ id, fix }) => samples.fix(id, fix),
  'voices.useVersion': ({ id, versionId }) => samples.use(id, versionId),
  'voices.describeSample': (request) => samples.describe(request),
  'voices.transcribeSample': ({ id }) => {
    samples.get(id)
    texts.transcribe(id)
    return samples.get(id)
  },
  'voices.clone': (request) => clones.begin(request),
  'voices.exportSample': async ({ id }) => ({ media: await exported(id) }),
})
