/** Where prices are kept: the page's own storage. */
export type PriceStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const keyOf = (accountId: string, model: string): string => `lectern-price ${accountId} ${model}`

/** What a million tokens of a model cost, as the user wrote it; empty when nothing was. */
export const readPrice = (store: PriceStore, accountId: string, model: string): string =>
  store.getItem(keyOf(accountId, model)) ?? ''

/** Keeps a price; an empty one is forgotten. */
export function keepPrice(
  store: PriceStore,
  { accountId, model, price }: { accountId: string; model: string; price: string },
): void {
  if (price.trim() === '') store.removeItem(keyOf(accountId, model))
  else store.setItem(keyOf(accountId, model), price.trim())
}

/** The price as a number, with a point or a comma; null for nothing, NaN for what is none. */
export function priceNumber(price: string): number | null {
  const text = price.trim().replace(',', '.')
  if (text === '') return null
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}
