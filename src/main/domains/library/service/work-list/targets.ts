import type { KnowledgeUpload } from '../../../../../shared/model/knowledge.ts'
import type { SpeechVoice } from '../../../../../shared/model/speech.ts'
import type { Work, WorkBound, WorkTarget } from '../../../../../shared/model/work.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import type { Store } from '../../../../library-database/store.ts'

type Movement = Pick<Work, 'movable' | 'targets' | 'bound'>

/** Maximum number of knowledge bases of an account that are offered. */
const maxBases = 50

const others = (store: Store, accountId: string): readonly Account[] =>
  store.accounts.list().filter(({ id }) => id !== accountId)

const movement = (targets: readonly WorkTarget[], otherwise: WorkBound): Movement => ({
  movable: targets.length > 0,
  targets,
  bound: targets.length > 0 ? null : otherwise,
})

/** Returns the other accounts that can have official voices: This computer has only cloned voices. */
export const voiceAccounts = (store: Store, accountId: string): readonly Account[] =>
  others(store, accountId).filter(({ preset }) => preset !== 'local')

/**
 * Returns where a narration can move: to accounts that have its voice as an official one, otherwise to accounts with
 * other official voices, of which the most recently used one is named. A voice that is not a known official voice is
 * bound to its account.
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

/**
 * Returns where a waiting upload to a knowledge base can move: to knowledge bases of other accounts. A file that is
 * being sent cannot be moved.
 */
export function baseTargets(store: Store, { accountId, state }: KnowledgeUpload): Movement {
  if (state !== 'waiting') return { movable: false, targets: null, bound: null }
  const all = { query: '', order: 'service', offset: 0, limit: maxBases } as const
  const targets = others(store, accountId).flatMap(({ id }) =>
    store.knowledge.bases
      .list({ ...all, accountIds: [id] })
      .bases.filter(({ gone }) => gone === null)
      .map((base): WorkTarget => ({
        accountId: id,
        choiceId: base.id,
        choiceName: base.name,
      })),
  )
  return movement(targets, 'noBase')
}
