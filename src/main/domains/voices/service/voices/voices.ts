import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import type { Voice, VoiceList } from '../../../../../shared/model/voice.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { fetchList } from '../../../../mirror/fetch-list.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { Previews } from './preview.ts'

export interface VoicesDeps {
  readonly store: Pick<Store, 'voices' | 'writable'>
  readonly api: { readonly voices: Api['voices'] }
  readonly accounts: Pick<Accounts, 'active' | 'list' | 'target'>
  readonly previews: Previews
  readonly clock: Clock
  /** Called when the saved list of an account has changed. */
  onChange(accountId: string): void
}

/** Voices of the provider (service-notes 3), with a local copy of the list. */
export interface Voices {
  /**
   * Requests the list from the provider first unless `from` is `kept`; a failure is reported with the saved list. Throws
   * NOT_FOUND for an unknown account.
   */
  list(request: ParsedOf<'voices.list'>): Promise<VoiceList>
  /**
   * Returns the voice with its audio: the saved preview, otherwise the provider's own, or `text` generated with it. Throws
   * errors of getting it.
   */
  preview(request: ParsedOf<'voices.preview'>): Promise<Voice>
  /**
   * Deletes the voice at the provider (service-notes 3); its narrations and its preview stay. Throws client errors.
   */
  remove(request: ParsedOf<'voices.remove'>): Promise<Voice>
}

export function createVoices(deps: VoicesDeps): Voices {
  const { store, api, accounts, clock } = deps
  const need = (accountId: string, voice: string): Voice => {
    const known = store.voices.get(accountId, voice)
    if (!known) throw new AppError('NOT_FOUND', 'Unknown voice')
    return known
  }
  /** Pending previews, so that a preview requested twice is downloaded or paid for once. */
  const getting = new Map<string, Promise<Voice>>()

  async function get({
    accountId = accounts.active().id,
    voice,
    text,
  }: ParsedOf<'voices.preview'>): Promise<Voice> {
    const known = need(accountId, voice)
    const media =
      text === undefined ? await deps.previews.fetch(known) : await deps.previews.speak(known, text)
    const kind = text === undefined ? 'service' : 'spoken'
    store.voices.keepPreview(accountId, voice, { mediaId: media.id, kind })
    if (kind === 'spoken') store.voices.used(accountId, voice, clock())
    deps.onChange(accountId)
    return need(accountId, voice)
  }

  return {
    async list({ accountId = accounts.active().id, from, name = '' }) {
      const account = (await accounts.list()).find(({ id }) => id === accountId)
      if (!account) throw new AppError('NOT_FOUND', 'Account not found')
      const toVoiceList = (rest: Pick<VoiceList, 'found' | 'failure'>): VoiceList => ({
        accountId,
        accountName: account.name,
        ...store.voices.list(accountId),
        ...rest,
      })
      if (from === 'kept') return toVoiceList({ found: null, failure: null })
      try {
        const target = await accounts.target(accountId)
        const found = await fetchList(
          Infinity,
          store.voices.fetch,
          async () => {
            const { value } = await api.voices.list(target, name === '' ? {} : { name }, {})
            // The list has no pages, and may contain a voice twice.
            const rows = new Map(value.map((row) => [row.voice, { ...row, id: row.voice }]))
            rows.delete('')
            return { rows: [...rows.values()], total: rows.size }
          },
          (rows, { whole, fetch }) => {
            // A voice that a search does not find may still exist.
            const options = { whole: whole && name === '', fetch }
            if (store.writable) store.voices.keep(accountId, rows, clock(), options)
            return rows.map(({ voice }) => voice)
          },
        )
        return toVoiceList({ found: name === '' ? null : found, failure: null })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return toVoiceList({ found: null, failure: toFailure(error, clock()) })
      }
    },
    preview(request) {
      const { accountId = accounts.active().id, voice } = request
      const key = `${accountId} ${voice}`
      const running = getting.get(key)
      if (running) return running
      const work = get(request).finally(() => getting.delete(key))
      getting.set(key, work)
      return work
    },
    async remove({ accountId = accounts.active().id, voice }) {
      need(accountId, voice)
      const target = await accounts.target(accountId)
      await api.voices.delete(target, { voice }, {})
      store.voices.gone(accountId, voice, clock())
      deps.onChange(accountId)
      return need(accountId, voice)
    },
  }
}
