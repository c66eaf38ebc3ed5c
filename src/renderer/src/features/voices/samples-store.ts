import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../shared/bridge/reply.ts'
import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { Media } from '../../../../shared/model/library.ts'
import type { SampleBrief, SampleFix, VoiceSample } from '../../../../shared/model/sample.ts'
import { useClient } from '../../api/use-client.ts'

/** Own voices, newest first, and the opened one with its sample. */
export const useSamples = defineStore('voiceSamples', () => {
  const client = useClient()
  const samples = shallowRef<readonly SampleBrief[]>([])
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const id = ref<string | null>(null)
  const sample = shallowRef<VoiceSample | null>(null)
  const sampleFailure = shallowRef<Failure | null>(null)
  /** What went wrong with the last deed, and which it was. */
  const trouble = shallowRef<{ readonly deed: string; readonly failure: Failure } | null>(null)
  /** The deed that is under way. */
  const busy = ref<string | null>(null)

  const load = async (): Promise<void> => {
    if (state.value === 'idle') state.value = 'loading'
    const reply = await client.request('voices.samples', {})
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (reply.ok) samples.value = reply.data
  }
  const refresh = async (): Promise<void> => {
    const asked = id.value
    if (asked === null) return
    const reply = await client.request('voices.sample', { id: asked })
    if (id.value !== asked) return
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
  /** Does one thing to the opened sample after the other, in the order they were asked for; false when it failed. */
  const act = (deed: string, work: (id: string) => Promise<Reply<unknown>>): Promise<boolean> => {
    const asked = id.value
    if (asked === null) return Promise.resolve(false)
    const turn = before.then(() => carryOut(asked, deed, work))
    before = turn
    return turn
  }
  const carryOut = async (
    asked: string,
    deed: string,
    work: (id: string) => Promise<Reply<unknown>>,
  ): Promise<boolean> => {
    busy.value = deed
    const reply = await work(asked)
    busy.value = null
    if (id.value !== asked) return reply.ok
    trouble.value = reply.ok ? null : { deed, failure: reply.error }
    await refresh()
    return reply.ok
  }
  const takeIn = async (request: RequestOf<'voices.takeSample'>): Promise<Reply<VoiceSample>> => {
    const reply = await client.request('voices.takeSample', request)
    if (reply.ok) void load()
    return reply
  }
  const fix = (wanted: SampleFix) =>
    act(`fix ${wanted.type}`, (asked) =>
      client.request('voices.fixSample', { id: asked, fix: wanted }),
    )
  const use = (versionId: string) =>
    act('version', (asked) => client.request('voices.useVersion', { id: asked, versionId }))
  const describe = (patch: Omit<RequestOf<'voices.describeSample'>, 'id'>) =>
    act('words', (asked) => client.request('voices.describeSample', { id: asked, ...patch }))
  const hear = () => act('hear', (asked) => client.request('voices.hearSample', { id: asked }))
  const clone = (order: Omit<RequestOf<'voices.clone'>, 'id'>) =>
    act('clone', (asked) => client.request('voices.clone', { id: asked, ...order }))
  /** The archive of the opened voice; null when it failed. */
  const exported = async (): Promise<Media | null> => {
    let media: Media | null = null
    await act('export', async (asked) => {
      const reply = await client.request('voices.exportSample', { id: asked })
      if (reply.ok) media = reply.data.media
      return reply
    })
    return media
  }
  const rename = (title: string) =>
    act('rename', (asked) => client.request('library.rename', { id: asked, title }))

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
    takeIn,
    fix,
    use,
    describe,
    hear,
    clone,
    exported,
    rename,
  }
})
