import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { OperationInfo } from '../../../../../shared/model/operation.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Returns the part of an operation's name before its dot. */
export const familyOf = (operation: string): string =>
  operation.slice(0, Math.max(0, operation.indexOf('.'))) || operation

/** All operations of the provider as reported by main; requested once. */
export const useOperations = defineStore('operations', () => {
  const client = useClient()
  const operations = shallowRef<readonly OperationInfo[]>([])
  const failure = shallowRef<Failure | null>(null)
  let pending: Promise<void> | null = null

  const ask = async (): Promise<void> => {
    const reply = await client.request('runs.operations', {})
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) operations.value = reply.data
    else pending = null
  }
  const load = (): Promise<void> => (pending ??= ask())
  /** Operation types in the order of the API reference. */
  const families = computed(() => [...new Set(operations.value.map(({ name }) => familyOf(name)))])
  const find = (name: string): OperationInfo | undefined =>
    operations.value.find((one) => one.name === name)
  return { operations, families, failure, load, find }
})
