/** Entered prices by account and model (`model/settings.ts`). */
export type Prices = Readonly<Record<string, string>>

const keyOf = (accountId: string, model: string): string => `${accountId} ${model}`

/** Returns the price of a million tokens of a model as entered by the user; empty if none. */
export const readPrice = (prices: Prices, accountId: string, model: string): string =>
  prices[keyOf(accountId, model)] ?? ''

/** Returns the prices with this one added; an empty one is removed. */
export function withPrice(
  prices: Prices,
  { accountId, model, price }: { accountId: string; model: string; price: string },
): Prices {
  const { [keyOf(accountId, model)]: _, ...others } = prices
  const text = price.trim().slice(0, 20)
  return text === '' ? others : { ...others, [keyOf(accountId, model)]: text }
}

/** Parses the price, with a decimal point or comma; null when empty, NaN when invalid. */
export function priceNumber(price: string): number | null {
  const text = price.trim().replace(',', '.')
  if (text === '') return null
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}
