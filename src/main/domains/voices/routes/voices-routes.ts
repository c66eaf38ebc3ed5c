import type { AllVoices } from '../service/voices/all.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of voices: the provider's list, its saved entries, and voices cloned here. */
export const voiceHandlers = ({
  export: exported,
  voices,
  samples,
  texts,
  clones,
}: Pick<AllVoices, 'voices' | 'samples' | 'texts' | 'clones' | 'export'>): Pick<
  Handlers,
  Extract<keyof Handlers, `voices.${string}`>
> => ({
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
