import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { ArchiveState } from '../../../../../shared/contract/archive.ts'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { ArchiveJob } from '../../../../../shared/model/archive.ts'
import { uploadArchive } from '../../../lib/bridge/upload.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useSave } from '../export/use-save.ts'

/** Store of archive export and import, with their progress. */
export const useArchive = defineStore('archive', () => {
  const client = useClient()
  const saver = useSave('toast')
  const job = shallowRef<ArchiveJob | null>(null)
  /** Whether files are chosen with native dialogs. */
  const dialogs = ref(false)
  const failure = shallowRef<Failure | null>(null)
  /** Upload progress of an archive, 0 to 1; null if there is none. */
  const arriving = ref<number | null>(null)
  const running = computed(() => arriving.value !== null || job.value?.state === 'running')
  let upload: AbortController | null = null
  let fetchedId = ''

  client.onEvent((event) => {
    if (event.type !== 'archive.changed') return
    job.value = event.job
    fetchIt()
  })
  /** Downloads a written archive with the browser as soon as it is ready. */
  function fetchIt(): void {
    const id = job.value?.written?.fetchId
    if (!id || id === fetchedId || wanted !== job.value?.id) return
    fetchedId = id
    save()
  }
  /** ID of the export requested by this page: those of other pages are not saved here. */
  let wanted = ''

  const save = (): void => {
    const written = job.value?.written
    if (job.value && written?.fetchId) void saver.save(written.fetchId, job.value.file)
  }
  const take = (reply: Reply<ArchiveState>): boolean => {
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return false
    job.value = reply.data.job
    dialogs.value = reply.data.dialogs
    return true
  }
  const load = async (): Promise<void> => void take(await client.request('archive.state', {}))

  /** Exports everything, or the given items; nothing while another archive is written or read. */
  const write = async (ids?: readonly string[], verify = true): Promise<void> => {
    if (running.value) return
    const options = { verify, ...(ids && { ids: [...ids] }) }
    const reply = await client.request('archive.export', options)
    if (!take(reply)) return
    wanted = job.value?.id ?? ''
    fetchIt()
  }
  /** Uploads an archive and inspects it. */
  const bring = async (file: File): Promise<void> => {
    failure.value = null
    upload = new AbortController()
    arriving.value = 0
    const onProgress = (done: number): void => void (arriving.value = done)
    const reply = await uploadArchive(file, { onProgress, signal: upload.signal })
    arriving.value = null
    upload = null
    if (reply.ok) await inspect()
    else if (reply.error.code !== 'CANCELLED') failure.value = reply.error
  }
  const inspect = async (): Promise<void> => void take(await client.request('archive.inspect', {}))
  const importArchive = async (): Promise<void> =>
    void take(await client.request('archive.import', {}))
  const cancel = async (): Promise<void> => {
    upload?.abort()
    if (job.value?.state === 'running') take(await client.request('archive.cancel', {}))
  }
  const forget = async (): Promise<void> => void take(await client.request('archive.forget', {}))

  return {
    job,
    dialogs,
    failure,
    arriving,
    running,
    load,
    write,
    bring,
    inspect,
    importArchive,
    cancel,
    forget,
    save,
    show: saver.show,
  }
})
