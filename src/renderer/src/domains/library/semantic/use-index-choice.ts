import { computed, onScopeDispose, ref, watch } from 'vue'
import {
  meaningKinds,
  type MeaningKind,
  type SemanticChoice,
  type SemanticIndex,
} from '../../../../../shared/model/semantic.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useLatest } from '../../../kit/use-latest.ts'
import { useAccounts } from '../../settings/index.ts'
import { useSettings } from '../../../lib/settings-store.ts'
import { useSemantic, type Dimensions } from './indexes-store.ts'
import { momentOf, rangeOf, type Range } from './ranges.ts'

/** Milliseconds without a change after which the Library is scanned. */
const quietMs = 150

/** What to index, by which account, and at what cost: updated with each change. */
export function useIndexChoice(known: SemanticIndex | null) {
  const client = useClient()
  const semantic = useSemantic()
  const accounts = useAccounts()
  const settings = useSettings()
  const accountId = ref(known?.accountId ?? accounts.active?.id ?? localAccountId)
  const model = ref<SemanticChoice['model']>(known?.model ?? 'embedding-3')
  const dimensions = ref<Dimensions>((known?.dimensions ?? 1024) as Dimensions)
  const kinds = ref<MeaningKind[]>([...(known?.kinds ?? meaningKinds)])
  const range = ref<Range>(known ? rangeOf(known.since) : 'all')
  const price = ref('')
  let timer: ReturnType<typeof setTimeout> | undefined

  const dimensionsThere = computed((): readonly Dimensions[] =>
    model.value === 'embedding-2' ? [1024] : [2048, 1024, 512, 256],
  )
  const wanted = computed((): SemanticChoice => ({
    accountId: accountId.value,
    model: model.value,
    dimensions: dimensions.value,
    // In list order, so that the same choice is the same request.
    kinds: meaningKinds.filter((kind) => kinds.value.includes(kind)),
    since: momentOf(range.value),
  }))
  const perMillion = computed(() =>
    accountId.value === localAccountId ? null : priceNumber(price.value),
  )

  const {
    data: plan,
    failure: planFailure,
    load,
    clear,
  } = useLatest(() => semantic.plan(wanted.value))
  const soon = (): void => {
    clearTimeout(timer)
    clear()
    if (wanted.value.kinds.length > 0) timer = setTimeout(() => void load(), quietMs)
  }
  watch(model, () => {
    const [only] = dimensionsThere.value
    if (!dimensionsThere.value.includes(dimensions.value) && only) dimensions.value = only
  })
  watch(wanted, soon, { immediate: true })
  watch(
    [accountId, model],
    () => (price.value = readPrice(settings.settings?.prices ?? {}, accountId.value, model.value)),
    { immediate: true },
  )
  watch(price, (text) => {
    const prices = settings.settings?.prices
    if (!prices || Number.isNaN(perMillion.value)) return
    const of = { accountId: accountId.value, model: model.value }
    if (readPrice(prices, of.accountId, of.model) !== text.trim())
      void settings.update({ prices: withPrice(prices, { ...of, price: text }) })
  })
  const off = client.onEvent((event) => {
    if (event.type === 'library.changed') soon()
  })
  onScopeDispose(() => {
    off()
    clearTimeout(timer)
  })
  return {
    accountId,
    model,
    dimensions,
    dimensionsThere,
    kinds,
    range,
    price,
    perMillion,
    wanted,
    plan,
    planFailure,
  }
}

/** Entered prices by account and model (`contract/settings.ts`). */
type Prices = Readonly<Record<string, string>>

const keyOf = (accountId: string, model: string): string => `${accountId} ${model}`

/** Returns the price of a million tokens of a model as entered by the user; empty if none. */
const readPrice = (prices: Prices, accountId: string, model: string): string =>
  prices[keyOf(accountId, model)] ?? ''

/** Returns the prices with this one added; an empty one is removed. */
function withPrice(
  prices: Prices,
  { accountId, model, price }: { accountId: string; model: string; price: string },
): Prices {
  const { [keyOf(accountId, model)]: _, ...others } = prices
  const text = price.trim().slice(0, 20)
  return text === '' ? others : { ...others, [keyOf(accountId, model)]: text }
}

/** Parses the price, with a decimal point or comma; null when empty, NaN when invalid. */
function priceNumber(price: string): number | null {
  const text = price.trim().replace(',', '.')
  if (text === '') return null
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}
