/** What was written, by account and model (`model/settings.ts`). */
export type Prices = Readonly<Record<string, string>>

const keyOf = (accountId: string, model: string): string => `${accountId} ${model}`

/** What a million tokens of a model cost, as the user wrote it; empty when nothing was. */
export const readPrice = (prices: Prices, accountId: string, model: string): string =>
  prices[keyOf(accountId, model)] ?? ''

/** The prices with this one; an empty one is forgotten. */
export function withPrice(
  prices: Prices,
  { accountId, model, price }: { accountId: string; model: string; price: string },
): Prices {
  const { [keyOf(accountId, model)]: _, ...others } = prices
  const text = price.trim().slice(0, 20)
  return text === '' ? others : { ...others, [keyOf(accountId, model)]: text }
}

/** The price as a number, with a point or a comma; null for nothing, NaN for what is none. */
export function priceNumber(price: string): number | null {
  const text = price.trim().replace(',', '.')
  if (text === '') return null
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}
