/** Storage for the user's links: that of the page. */
type LinkStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-chat-linked'
const maxLinks = 500

type Links = readonly (readonly [document: string, itemId: string])[]

function read(store: LinkStore): Links {
  try {
    const saved: unknown = JSON.parse(store.getItem(name) ?? '[]')
    return Array.isArray(saved)
      ? saved.filter(
          (one): one is Links[number] =>
            Array.isArray(one) && one.length === 2 && one.every((each) => typeof each === 'string'),
        )
      : []
  } catch {
    return []
  }
}

/** Returns the Library document that the user linked to a document of the provider; null without one. */
export const linkedTo = (store: LinkStore, document: string): string | null =>
  read(store).find(([known]) => known === document)?.[1] ?? null

/** Saves the link; null removes it. If the storage is full or unavailable, the link is only lost. */
export function saveLink(store: LinkStore, document: string, itemId: string | null): void {
  const others = read(store).filter(([known]) => known !== document)
  const links: Links =
    itemId === null ? others : ([[document, itemId], ...others].slice(0, maxLinks) as Links)
  try {
    store.setItem(name, JSON.stringify(links))
  } catch {
    // The user is asked again the next time.
  }
}
