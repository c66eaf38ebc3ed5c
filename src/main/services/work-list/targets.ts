import type { KnowledgeUpload } from '../../../shared/model/knowledge.ts'
import type { SpeechVoice } from '../../../shared/model/speech.ts'
import type { Work, WorkBound, WorkTarget } from '../../../shared/model/work.ts'
import type { Account } from '../../../shared/service/profiles.ts'
import type { Store } from '../../store/types.ts'

type Movement = Pick<Work, 'movable' | 'targets' | 'bound'>

/** Knowledge bases of an account that are offered. */
const maxBases = 50

const others = (store: Store, accountId: string): readonly Account[] =>
  store.accounts.list().filter(({ id }) => id !== accountId)

const movement = (targets: readonly WorkTarget[], otherwise: WorkBound): Movement => ({
  movable: targets.length > 0,
  targets,
  bound: targets.length > 0 ? null : otherwise,
})

/** Accounts other than this one that can have official voices: This computer speaks with cloned ones alone. */
export const voiceAccounts = (store: Store, accountId: string): readonly Account[] =>
  others(store, accountId).filter(({ preset }) => preset !== 'local')

/**
 * Where a narration can move: to accounts that have its voice as an official one, or else to those with other official voices, of which the
 * one that was used last is named. A voice that is not known as an official one belongs to its account.
 */
export function voiceTargets(store: Store, accountId: string, voice: SpeechVoice | null): Movement {
  const official = (id: string) =>
    store.voices
      .list(id)
      .voices.filter(({ type, goneAt }) => type === 'OFFICIAL' && goneAt === null)
  if (voice && store.voices.get(accountId, voice.id)?.type !== 'OFFICIAL')
    return movement([], 'privateVoice')
  const targets = voiceAccounts(store, accountId).flatMap(({ id }): WorkTarget[] => {
    const voices = official(id).toSorted((a, b) => (b.usedAt ?? 0) - (a.usedAt ?? 0))
    const chosen = voices.find((one) => one.voice === voice?.id) ?? voices[0]
    return chosen ? [{ accountId: id, choiceId: chosen.voice, choiceName: chosen.name }] : []
  })
  return movement(targets, 'noVoice')
}

/** Where a file on its way into a knowledge base can go: to those of other accounts. What is being sent is not moved. */
export function baseTargets(store: Store, { accountId, state }: KnowledgeUpload): Movement {
  if (state !== 'waiting') return { movable: false, targets: null, bound: null }
  const all = { query: '', order: 'service', offset: 0, limit: maxBases } as const
  const targets = others(store, accountId).flatMap(({ id }) =>
    store.knowledge.bases
      .list({ ...all, accountId: id })
      .bases.filter(({ gone }) => gone === null)
      .map((base): WorkTarget => ({
        accountId: id,
        choiceId: base.id,
        choiceName: base.name,
      })),
  )
  return movement(targets, 'noBase')
}
