import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Candidate, Ranking } from '../../../../../shared/model/rerank.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import { charactersOf, isLonger } from '../../../../../shared/text/characters.ts'
import { useAccounts } from '../../settings/index.ts'

/** A candidate of the draft: its key stays the same when it is moved. */
interface DraftCandidate extends Candidate {
  readonly key: string
}

/** Draft of a ranking: kept while other pages are shown. */
export const useRankingDraft = defineStore('ranking-draft', () => {
  const accounts = useAccounts()
  const query = ref('')
  const candidates = shallowRef<readonly DraftCandidate[]>([])
  const topN = ref('')
  const rawScores = ref(false)
  /** Empty: the active account. */
  const accountId = ref('')
  let serial = 0

  const account = computed(() =>
    accountId.value === '' ? accounts.active : accounts.byId(accountId.value),
  )
  const limits = computed(() => limitsWith(account.value?.profile.limits ?? {}).rerank)
  const queryChars = computed(() => charactersOf(query.value))
  const tooLong = computed(() =>
    candidates.value.filter(({ text }) => isLonger(text, limits.value.documentChars)),
  )

  const keyed = (candidate: Candidate): DraftCandidate => ({
    ...candidate,
    key: String((serial += 1)),
  })
  const add = (more: readonly Candidate[]): void => {
    candidates.value = [...candidates.value, ...more.map(keyed)]
  }
  const addTexts = (texts: readonly string[]): void =>
    add(texts.map((text) => ({ text, source: null })))
  const remove = (key: string): void => {
    candidates.value = candidates.value.filter((one) => one.key !== key)
  }
  const edit = (key: string, text: string): void => {
    candidates.value = candidates.value.map((one) => (one.key === key ? { ...one, text } : one))
  }
  /** Moves a candidate by this many positions; it stops at the ends. */
  const move = (key: string, by: number): void => {
    const from = candidates.value.findIndex((one) => one.key === key)
    const moved = candidates.value[from]
    const to = Math.min(candidates.value.length - 1, Math.max(0, from + by))
    if (moved && to !== from)
      candidates.value = candidates.value.toSpliced(from, 1).toSpliced(to, 0, moved)
  }
  const clear = (): void => {
    query.value = ''
    candidates.value = []
  }
  /** Fills the draft with the input of an earlier ranking. */
  const from = (ranking: Ranking): void => {
    query.value = ranking.query
    candidates.value = ranking.candidates.map(keyed)
    topN.value = ranking.topN === 0 ? '' : String(ranking.topN)
    rawScores.value = ranking.rawScores
    accountId.value = accounts.byId(ranking.accountId) ? ranking.accountId : ''
  }
  /** Restores the list: undo of clearing or removing. */
  const restore = (before: readonly DraftCandidate[]): void => {
    candidates.value = before
  }
  return {
    query,
    candidates,
    topN,
    rawScores,
    accountId,
    account,
    limits,
    queryChars,
    tooLong,
    add,
    addTexts,
    remove,
    edit,
    move,
    clear,
    from,
    restore,
  }
})
