import type { VoiceList } from '../../../shared/model/voice.ts'
import type { Api } from '../../api/types.ts'
import type { Clock } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** What the voices are built from. */
export interface VoicesDeps {
  readonly store: Pick<Store, 'voices' | 'writable'>
  readonly api: { readonly voices: Api['voices'] }
  readonly accounts: Pick<Accounts, 'active' | 'list' | 'target'>
  readonly clock: Clock
  /** The mirror of an account is another one. */
  onChange(accountId: string): void
}

/** The voices of the service (spec 4.3), mirrored. */
export interface Voices {
  /** Asks the service first unless `from` is `kept`; a failure to do so is told beside the kept list. Throws NOT_FOUND for no account. */
  list(request: {
    readonly accountId?: string | undefined
    readonly from: 'service' | 'kept'
    readonly name?: string | undefined
  }): Promise<VoiceList>
}

/** Builds it. */
export function createVoices(deps: VoicesDeps): Voices {
  const { store, api, accounts, clock } = deps

  return {
    async list({ accountId = accounts.active().id, from, name = '' }) {
      const account = (await accounts.list()).find(({ id }) => id === accountId)
      if (!account) throw new AppError('NOT_FOUND', 'No such account')
      const told = (rest: Pick<VoiceList, 'found' | 'failure'>): VoiceList => ({
        accountId,
        accountName: account.name,
        ...store.voices.list(accountId),
        ...rest,
      })
      if (from === 'kept') return told({ found: null, failure: null })
      try {
        const target = await accounts.target(accountId)
        const { value } = await api.voices.list(target, name === '' ? {} : { name }, {})
        if (store.writable) store.voices.keep(accountId, value, name === '', clock())
        if (name === '') deps.onChange(accountId)
        return told({ found: name === '' ? null : value.map(({ voice }) => voice), failure: null })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return told({ found: null, failure: toFailure(error, clock()) })
      }
    },
  }
}
