import type { Working, Works } from '../../background-work.ts'
import type { Context } from '../../context.ts'
import { sessionFolder } from '../../platform/audio/session-files.ts'
import { createRemoteGet } from '../../provider-client/remote-get.ts'
import { speechHandlers, voiceHandlers } from './routes.ts'
import { createSpeech } from './service/speech/speech.ts'
import { createSpeechOutputWorker } from './service/speech/speech-output-worker.ts'
import { createClones } from './service/voices/clones.ts'
import { exportSample } from './service/voices/export.ts'
import { createSampleWork } from './service/voices/sample-work.ts'
import { createSamples } from './service/voices/samples.ts'
import { createSampleTexts } from './service/voices/texts.ts'
import { createVoices } from './service/voices/voices.ts'
import type { CloneRecord } from './store/voice-samples.ts'

/** Voices of the provider, samples and clones of them, and narrations. */
export function setupVoices(context: Context) {
  const { store, clock, emit, home } = context
  const onVoices = (accountId: string): void => emit({ type: 'voices.changed', accountId })
  const onSample = (id: string): void => {
    emit({ type: 'voice.changed', id })
    emit({ type: 'library.changed', itemIds: [id] })
  }
  const voices = createVoices({
    ...context,
    remote: createRemoteGet(context.network, 'audio/*'),
    onChange: onVoices,
  })
  const work = createSampleWork(context.workerUrl, context.modelsDir)
  const texts = createSampleTexts({ ...context, onSample })
  const samples = createSamples({
    ...context,
    work,
    texts,
    sessionFolder: (id) => sessionFolder(home, id),
    onSample,
  })

  /**
   * Looks up the preview URL in the list; without a URL, or if the download fails, generates the text with the voice.
   */
  async function onMade(clone: CloneRecord, signal: AbortSignal): Promise<void> {
    const { accountId, voice, input } = clone
    if (voice === null) return
    await voices.list({ accountId, from: 'service' })
    onVoices(accountId)
    if (!store.voices.get(accountId, voice)) {
      const row = { voice, name: clone.voiceName, type: 'PRIVATE', createTime: null }
      store.voices.keep(accountId, [{ ...row, downloadUrl: null }], clock(), { whole: false })
    }
    const known = store.voices.get(accountId, voice)
    const preview = known?.downloadUrl
      ? await voices.preview({ accountId, voice }, signal).catch(() => null)
      : null
    const { previewId, previewKind } =
      preview ?? (await voices.preview({ accountId, voice, text: input }, signal))
    store.samples.changeClone(clone.id, { previewId, previewKind })
  }
  const clones = createClones({ ...context, onSample, onMade })

  const samplesAndClones = {
    resume() {
      texts.resume()
      clones.resume()
    },
    accountReady: clones.accountReady,
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
  } satisfies Working

  const speech = createSpeech({
    ...context,
    spoken: createSpeechOutputWorker(context.workerUrl),
  })

  return {
    voices,
    speech,
    work: { other: [samplesAndClones, speech] } satisfies Works,
    handlers: {
      ...voiceHandlers({
        voices,
        samples,
        texts,
        clones,
        export: (id) => exportSample({ ...context, work }, id),
      }),
      ...speechHandlers(speech),
    },
  }
}
