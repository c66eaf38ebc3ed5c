import type { Media } from '../../../../../shared/model/library.ts'
import type { WorkerUrl } from '../../../../deps.ts'
import type { CloneRecord } from '../../store/voice-samples.ts'
import { sessionFolder } from '../../../../platform/audio/session-folder.ts'
import { createRemoteGet } from '../../../../provider-client/remote-get.ts'
import type { NetworkChoices } from '../../../settings/index.ts'
import { createClones, type Clones, type ClonesDeps } from './clones.ts'
import { exportSample } from './export.ts'
import { createSampleWork } from './sample-work.ts'
import { createSamples, type Samples, type SamplesDeps } from './samples.ts'
import { createSampleTexts, type SampleTexts, type SampleTextsDeps } from './texts.ts'
import { createVoices, type Voices, type VoicesDeps } from './voices.ts'

export type AllVoicesDeps = Omit<VoicesDeps, 'remote' | 'onChange'> &
  Omit<SamplesDeps, 'work' | 'texts' | 'sessionFolder'> &
  Omit<ClonesDeps, 'onMade'> &
  SampleTextsDeps & {
    readonly version: string
    readonly workerUrl: WorkerUrl
    readonly modelsDir: string
    readonly network: NetworkChoices
    onVoices(accountId: string): void
  }

/** Official and cloned voices. */
export interface AllVoices {
  readonly voices: Voices
  readonly samples: Samples
  readonly texts: SampleTexts
  readonly clones: Clones
  /** Exports a cloned voice as one archive (a media ID with its name). */
  export(id: string): Promise<Media>
  resume(): void
  accountReady(accountId: string): void
  forget(itemIds: readonly string[]): Promise<void>
  restored(itemIds: readonly string[]): void
  busy(): boolean
  /** Stops running work before everything is erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

export function createAllVoices(deps: AllVoicesDeps): AllVoices {
  const { store } = deps
  const voices = createVoices({
    ...deps,
    remote: createRemoteGet(deps.network, 'audio/*'),
    onChange: deps.onVoices,
  })
  const work = createSampleWork(deps.workerUrl, deps.modelsDir)
  const texts = createSampleTexts(deps)
  const samples = createSamples({
    ...deps,
    work,
    texts,
    sessionFolder: (id) => sessionFolder(deps.home, id),
  })

  /**
   * Looks up the preview URL in the list; without a URL, or if the download fails, generates the text with the voice.
   */
  async function listed(clone: CloneRecord): Promise<void> {
    const { accountId, voice, input } = clone
    if (voice === null) return
    await voices.list({ accountId, from: 'service' })
    deps.onVoices(accountId)
    if (!store.voices.get(accountId, voice)) {
      const row = { voice, name: clone.voiceName, type: 'PRIVATE', createTime: null }
      store.voices.keep(accountId, [{ ...row, downloadUrl: null }], deps.clock(), {
        whole: false,
      })
    }
    const known = store.voices.get(accountId, voice)
    const preview = known?.downloadUrl
      ? await voices.preview({ accountId, voice }).catch(() => null)
      : null
    const { previewId, previewKind } =
      preview ?? (await voices.preview({ accountId, voice, text: input }))
    store.samples.changeClone(clone.id, { previewId, previewKind })
  }
  const clones = createClones({ ...deps, onMade: listed })

  return {
    voices,
    samples,
    texts,
    clones,
    export: (id) => exportSample({ ...deps, work }, id),
    resume() {
      texts.resume()
      clones.resume()
    },
    accountReady: (accountId) => clones.accountReady(accountId),
    async forget(itemIds) {
      texts.forget(itemIds)
      await clones.forget(itemIds)
    },
    restored(itemIds) {
      texts.resume()
      clones.restored(itemIds)
    },
    busy: () => texts.busy() || clones.busy(),
    async stopAll() {
      texts.shutdown()
      await clones.stopAll()
    },
    async shutdown() {
      texts.shutdown()
      await clones.shutdown()
      await work.close()
    },
  }
}
