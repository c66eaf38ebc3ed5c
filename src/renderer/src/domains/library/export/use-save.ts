import { onScopeDispose, ref, shallowRef } from 'vue'
import type { SaveOutcome } from '../../../../../shared/contract/files.ts'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useSaves } from './saves-store.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Response of export routes: a written file, and the name for its copy. */
type Exported =
  | { readonly mediaId: string; readonly name: string }
  | { readonly media: { readonly id: string; readonly name: string } }

interface Writing {
  fate: 'save' | 'offer' | 'discard'
}

/**
 * Saves files for all views: the system's dialog asks where, and in a browser tab the browser saves. A notice reports the
 * copy and shows it in its folder. Failures are in `failure`; with `toast` they are also shown as notices.
 */
export function useSave(failures: 'panel' | 'toast' = 'panel') {
  const client = useClient()
  const toasts = useToasts()
  const saves = useSaves()
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)
  const latest = createLatest()

  function report(outcome: SaveOutcome, name: string): boolean {
    if (outcome.state === 'cancelled') return false
    if (outcome.state === 'download') {
      download(client.mediaUrl(outcome.media))
      toasts.show('save.downloaded', { values: { name } })
      return true
    }
    const { id } = outcome
    const reveal = { key: 'save.reveal', run: () => void show({ saved: id }) }
    toasts.show('save.saved', { values: { name: outcome.name }, action: reveal })
    return true
  }
  /** Shows a saved copy, or a file of the Library, in the system's file manager. */
  async function show(what: { saved: string } | { media: string }): Promise<void> {
    const reply = await client.request('files.reveal', what)
    if (!reply.ok) toasts.show('save.notShown', { failure: reply.error })
  }

  /** What happens with the file that is being written. */
  let writing: Writing | null = null

  /**
   * Saves the result of `ask`, as `as` if it has no suitable name; returns whether a copy was saved. After `leave`, a notice offers
   * to save it.
   */
  async function saveExport(ask: () => Promise<Reply<Exported>>, as?: string): Promise<boolean> {
    if (busy.value) return false
    const isLatest = latest.start()
    const own: Writing = { fate: 'save' }
    writing = own
    busy.value = true
    failure.value = null
    const written = await ask()
    if (own.fate === 'discard') return false
    if (own.fate === 'offer') {
      if (!written.ok) toasts.show('save.notExported', { failure: written.error })
      else {
        const { media, name: finished } = fileOf(written.data, as)
        offer(media, finished)
      }
      return false
    }
    let reply: Reply<SaveOutcome | null> = written.ok ? { ok: true, data: null } : written
    let name = ''
    if (written.ok) {
      const file = fileOf(written.data, as)
      name = file.name
      reply = await saves.run((callId) => client.request('files.save', { ...file, callId }))
    }
    if (isLatest()) busy.value = false
    if (reply.ok) return reply.data !== null && report(reply.data, name)
    if (isLatest()) failure.value = reply.error
    if (failures === 'toast') toasts.show('save.failed', { failure: reply.error })
    return false
  }
  /** Offers to save a file that was finished after its view was left, until it is saved or the notice is dismissed. */
  function offer(media: string, name: string): void {
    const action = { key: 'save.now', run: () => void saveOffered(media, name) }
    toasts.show('save.exported', { values: { name }, action, lasting: true })
  }
  async function saveOffered(media: string, name: string): Promise<void> {
    const reply = await saves.run((callId) => client.request('files.save', { media, name, callId }))
    if (!reply.ok) toasts.show('save.failed', { failure: reply.error })
    if (!reply.ok || !report(reply.data, name)) offer(media, name)
  }
  const save = (mediaId: string, name: string): Promise<boolean> =>
    saveExport(async () => ({ ok: true, data: { mediaId, name } }))
  /** Saves bytes created by the page: main stores them first, like any file. */
  const saveBytes = (bytes: BlobPart, name: string, type: string): Promise<boolean> =>
    saveExport(async () => {
      const reply = await client.upload(new File([bytes], name, { type }))
      return reply.ok ? { ok: true, data: { mediaId: reply.data.media.id, name } } : reply
    })
  const end = (fate: 'offer' | 'discard'): void => {
    if (writing) writing.fate = fate
    writing = null
    latest.cancel()
    busy.value = false
  }
  /** The view is left: a file that is still being written is offered when it is finished. */
  const leave = (): void => end('offer')
  /** Discards a file that is still being written. */
  const cancel = (): void => end('discard')
  return { busy, failure, save, saveExport, saveBytes, show, leave, cancel }
}

const fileOf = (
  data: Exported,
  as: string | undefined,
): { readonly media: string; readonly name: string } =>
  'media' in data
    ? { media: data.media.id, name: as ?? data.media.name }
    : { media: data.mediaId, name: as ?? data.name }

/** Saves what the menu of a media player starts to download: the window passes it to the page. */
export function usePageSave(): void {
  const client = useClient()
  const { save } = useSave('toast')
  const off = client.onEvent((event) => {
    if (event.type === 'page.save') void save(event.media, event.name)
  })
  onScopeDispose(off)
}

/** Makes the browser save the response of one of our own URLs as a download. */
function download(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
