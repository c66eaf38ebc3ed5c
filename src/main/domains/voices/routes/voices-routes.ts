import type { Media } from '../../../../shared/model/library.ts'
import type { Clones } from '../service/voices/clones.ts'
import type { Samples } from '../service/voices/samples.ts'
import type { SampleTexts } from '../service/voices/texts.ts'
import type { Voices } from '../service/voices/voices.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

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
