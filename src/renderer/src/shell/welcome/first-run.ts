import { computed, ref, shallowRef, watch } from 'vue'
import type { ConnectionCheck } from '../../../../shared/contract/accounts.ts'
import type { Failure, Reply } from '../../../../shared/contract/reply.ts'
import {
  checkBaseUrl,
  localAccountId,
  type PresetId,
} from '../../../../shared/provider/profiles.ts'
import { isPlausibleKey, useAccounts } from '../../domains/settings/accounts/accounts-store.ts'
import { useIntake } from '../../domains/library/intake/intake-store.ts'
import { useSettings } from '../../lib/settings-store.ts'

/** The first-run card: choose a provider, enter its key, check whether it works, begin. */
export function useFirstRun() {
  const accounts = useAccounts()
  const settings = useSettings()
  const intake = useIntake()
  const preset = ref<PresetId>('local')
  const baseUrl = ref('')
  const key = ref('')
  const busy = ref(false)
  const check = shallowRef<ConnectionCheck | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** The account created by an earlier attempt: a second attempt updates it instead of creating another. */
  const made = ref<{ readonly id: string; readonly preset: PresetId; readonly url: string } | null>(
    null,
  )

  /** Files received before the choice: they wait for it. */
  const held = shallowRef<readonly File[]>([])
  const hold = (files: Iterable<File>): void => {
    held.value = [...held.value, ...files]
  }
  // Earlier check results do not apply to the new input.
  watch([preset, baseUrl, key], () => (check.value = null), { flush: 'sync' })

  const remote = computed(() => preset.value !== 'local')
  const url = computed(() => checkBaseUrl(baseUrl.value))
  const urlReady = computed(() => preset.value !== 'custom' || url.value.ok)
  const keyReady = computed(() => isPlausibleKey(key.value))

  const begin = async (): Promise<void> => {
    if (!(await settings.update({ welcomed: true }))) {
      failure.value = settings.failure
      return
    }
    if (held.value.length > 0) intake.take(held.value)
    held.value = []
  }
  const unwrap = <T>(reply: Reply<T>): T | null => {
    if (reply.ok) return reply.data
    failure.value = reply.error
    return null
  }

  /** The ID of the account on the card, created if there is none yet. */
  const account = async (name: string): Promise<string | null> => {
    if (preset.value === 'local') return localAccountId
    const wanted = preset.value === 'custom' ? baseUrl.value.trim() : ''
    if (made.value?.preset === preset.value && made.value.url === wanted) return made.value.id
    if (made.value) await accounts.remove(made.value.id)
    made.value = null
    const view = unwrap(
      await accounts.create({
        preset: preset.value,
        name,
        ...(wanted !== '' && { baseUrl: wanted }),
      }),
    )
    if (view) made.value = { id: view.id, preset: preset.value, url: wanted }
    return view?.id ?? null
  }

  const work = async (steps: () => Promise<void>): Promise<void> => {
    if (busy.value) return
    busy.value = true
    failure.value = null
    check.value = null
    await steps()
    busy.value = false
  }

  /** Creates the account, saves the key, makes one cheap request; begins if it succeeds. */
  const checkAndBegin = (name: string): Promise<void> =>
    work(async () => {
      const id = await account(name)
      if (id === null) return
      if (remote.value) {
        if (!unwrap(await accounts.setKey(id, key.value))) return
        check.value = await accounts.check(id)
        if (check.value.outcome !== 'ok') return
      }
      if (unwrap(await accounts.activate(id))) await begin()
      key.value = ''
    })

  /** Begins with the chosen account as it is, checked or not. */
  const beginAnyway = (name: string): Promise<void> =>
    work(async () => {
      const id = await account(name)
      if (id !== null && unwrap(await accounts.activate(id))) await begin()
      key.value = ''
    })

  /** Begins with this computer, and deletes an account that was only tried. */
  const skip = (): Promise<void> =>
    work(async () => {
      if (made.value) await accounts.remove(made.value.id)
      key.value = ''
      await begin()
    })

  return {
    preset,
    baseUrl,
    key,
    busy,
    check,
    failure,
    held,
    hold,
    remote,
    url,
    urlReady,
    keyReady,
    checkAndBegin,
    beginAnyway,
    skip,
  }
}
