import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { BackupInspection, BackupSummary } from '../../../../../shared/model/archive.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Store of the database backups: list, create, inspect, restore. */
export const useBackups = defineStore('backups', () => {
  const client = useClient()
  const list = shallowRef<readonly BackupSummary[]>([])
  const inspection = shallowRef<BackupInspection | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref<'make' | 'look' | 'restore' | null>(null)

  const take = (reply: Reply<{ readonly backups: readonly BackupSummary[] }>): boolean => {
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) list.value = reply.data.backups
    busy.value = null
    return reply.ok
  }
  const load = async (): Promise<void> => void take(await client.request('backups.list', {}))
  const make = async (): Promise<void> => {
    busy.value = 'make'
    take(await client.request('backups.make', {}))
  }
  const open = async (id: string): Promise<void> => {
    busy.value = 'look'
    const reply = await client.request('backups.inspect', { id })
    busy.value = null
    failure.value = reply.ok ? null : reply.error
    inspection.value = reply.ok ? reply.data : null
  }
  const restore = async (id: string): Promise<boolean> => {
    busy.value = 'restore'
    return take(await client.request('backups.restore', { id }))
  }
  const remove = async (id: string): Promise<void> =>
    void take(await client.request('backups.remove', { id }))
  return { list, inspection, failure, busy, load, make, open, restore, remove }
})
