import { computed, ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { Failure } from '../../../../../../shared/contract/reply.ts'
import type { RetrievalRun, RetrievalSettings } from '../../../../../../shared/model/retrieval.ts'
import { useClient } from '../../../../lib/bridge/use-client.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'
import { useAccounts } from '../../../settings/index.ts'
import { runPath, setPath } from '../../../library/index.ts'
import { readSettings, defaultSettings, writeSettings } from '../settings.ts'
import { useRetrieval } from '../retrieval-store.ts'

/** A question with its settings: prefilled from the last one or a past run, asked, or saved as a test set. */
export function useQuestion() {
  const client = useClient()
  const router = useRouter()
  const route = useRoute()
  const accounts = useAccounts()
  const store = useRetrieval()
  const { t } = useTranslation()
  const question = ref('')
  const settings = shallowRef<RetrievalSettings>(defaultSettings)
  const busy = ref(false)
  const failure = shallowRef<Failure | null>(null)

  /** Account of the opened run; empty for none. */
  const ownId = ref('')
  /** The account of the opened run, of the knowledge base the page was opened from, or the active one. */
  const accountId = computed(() => {
    const wanted = ownId.value || route.query['account']
    const known = accounts.accounts.find(({ id }) => id === wanted)
    return known?.id ?? accounts.active?.id ?? ''
  })
  const isRemoved = computed(
    () => accounts.loaded && ownId.value !== '' && !accounts.byId(ownId.value),
  )
  /** Those of a removed account can’t be searched by another one: they are chosen again. */
  const clearBases = (): void => {
    settings.value = { ...settings.value, bases: [], documents: [] }
  }
  watch(isRemoved, (removed) => {
    if (removed) clearBases()
  })
  const knowsWhere = computed(() => settings.value.bases.length > 0)
  const ready = computed(
    () => question.value.trim() !== '' && knowsWhere.value && accountId.value !== '' && !busy.value,
  )

  /** Prefills the settings of the account's last question. */
  const begin = (): void => {
    if (accountId.value !== '') settings.value = readSettings(localStorage, accountId.value)
  }
  /** Fills the form with a past question, to ask it differently. */
  const fill = (run: RetrievalRun): void => {
    question.value = run.question
    ownId.value = run.accountId
    settings.value = run.settings
    if (isRemoved.value) clearBases()
  }
  const ask = async (): Promise<boolean> => {
    if (!ready.value) return false
    busy.value = true
    writeSettings(localStorage, accountId.value, settings.value)
    const reply = await client.request('retrieval.ask', {
      question: question.value.trim(),
      settings: settings.value,
      accountId: accountId.value,
    })
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return false
    store.put(reply.data)
    await router.push(runPath(reply.data.id))
    return true
  }
  /** Creates a test set without questions, with the current settings. */
  const makeSet = async (): Promise<void> => {
    if (!knowsWhere.value || accountId.value === '' || busy.value) return
    busy.value = true
    const reply = await client.request('retrieval.createSet', {
      title: t('retrieval.firstSet'),
      settings: settings.value,
      accountId: accountId.value,
    })
    busy.value = false
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) await router.push(setPath(reply.data.id))
  }
  return {
    question,
    settings,
    busy,
    failure,
    accountId,
    knowsWhere,
    ready,
    begin,
    fill,
    ask,
    makeSet,
  }
}
