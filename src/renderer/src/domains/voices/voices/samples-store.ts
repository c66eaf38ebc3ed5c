import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Media } from '../../../../../shared/model/library.ts'
import type { SampleBrief, SampleFix, VoiceSample } from '../../../../../shared/model/sample.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Own voices, newest first, and the opened one with its sample. */
export const useSamples = defineStore('voiceSamples', () => {
  const client = useClient()
  const samples = shallowRef<readonly SampleBrief[]>([])
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const id = ref<string | null>(null)
  const sample = shallowRef<VoiceSample | null>(null)
  const sampleFailure = shallowRef<Failure | null>(null)
  /** Failure of the last action, and the name of the action. */
  const trouble = shallowRef<{ readonly action: string; readonly failure: Failure } | null>(null)
  /** The running action. */
  const busy = ref<string | null>(null)

  const load = async (): Promise<void> => {
    if (state.value === 'idle') state.value = 'loading'
    const reply = await client.request('voices.samples', {})
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (reply.ok) samples.value = reply.data
  }
  const refresh = async (): Promise<void> => {
    const sampleId = id.value
    if (sampleId === null) return
    const reply = await client.request('voices.sample', { id: sampleId })
    if (id.value !== sampleId) return
    sampleFailure.value = reply.ok ? null : reply.error
    if (reply.ok) sample.value = reply.data
    else if (reply.error.code === 'NOT_FOUND') sample.value = null
  }
  const open = async (next: string): Promise<void> => {
    if (id.value !== next) {
      close()
      id.value = next
    }
    await refresh()
  }
  const close = (): void => {
    id.value = null
    sample.value = null
    sampleFailure.value = null
    trouble.value = null
  }

  let before: Promise<unknown> = Promise.resolve()
  /** Runs actions on the open sample one after the other, in the order requested; false on failure. */
  const act = (action: string, work: (id: string) => Promise<Reply<unknown>>): Promise<boolean> => {
    const sampleId = id.value
    if (sampleId === null) return Promise.resolve(false)
    const turn = before.then(() => carryOut(sampleId, action, work))
    before = turn
    return turn
  }
  const carryOut = async (
    sampleId: string,
    action: string,
    work: (id: string) => Promise<Reply<unknown>>,
  ): Promise<boolean> => {
    busy.value = action
    const reply = await work(sampleId)
    busy.value = null
    if (id.value !== sampleId) return reply.ok
    trouble.value = reply.ok ? null : { action, failure: reply.error }
    await refresh()
    return reply.ok
  }
  const createSample = async (
    request: RequestOf<'voices.createSample'>,
  ): Promise<Reply<VoiceSample>> => {
    const reply = await client.request('voices.createSample', request)
    if (reply.ok) void load()
    return reply
  }
  const fix = (wanted: SampleFix) =>
    act(`fix ${wanted.type}`, (sampleId) =>
      client.request('voices.fixSample', { id: sampleId, fix: wanted }),
    )
  const use = (versionId: string) =>
    act('version', (sampleId) => client.request('voices.useVersion', { id: sampleId, versionId }))
  const describe = (patch: Omit<RequestOf<'voices.describeSample'>, 'id'>) =>
    act('words', (sampleId) => client.request('voices.describeSample', { id: sampleId, ...patch }))
  const transcribe = () =>
    act('transcribe', (sampleId) => client.request('voices.transcribeSample', { id: sampleId }))
  const clone = (order: Omit<RequestOf<'voices.clone'>, 'id'>) =>
    act('clone', (sampleId) => client.request('voices.clone', { id: sampleId, ...order }))
  /** The archive of the open voice; null on failure. */
  const exported = async (): Promise<Media | null> => {
    let media: Media | null = null
    await act('export', async (sampleId) => {
      const reply = await client.request('voices.exportSample', { id: sampleId })
      if (reply.ok) media = reply.data.media
      return reply
    })
    return media
  }
  const rename = (title: string) =>
    act('rename', (sampleId) => client.request('library.rename', { id: sampleId, title }))

  client.onEvent((event) => {
    const known = event.type === 'voice.changed' ? [event.id] : null
    const changed = known ?? (event.type === 'library.changed' ? event.itemIds : null)
    if (changed === null) return
    if (state.value !== 'idle') void load()
    if (id.value !== null && (changed.length === 0 || changed.includes(id.value))) void refresh()
  })
  return {
    samples,
    state,
    failure,
    id,
    sample,
    sampleFailure,
    trouble,
    busy,
    load,
    open,
    close,
    refresh,
    createSample,
    fix,
    use,
    describe,
    transcribe,
    clone,
    exported,
    rename,
  }
})
