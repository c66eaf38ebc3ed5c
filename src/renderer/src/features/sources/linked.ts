/** Where links are kept that a reader made: the page's own storage. */
export type LinkStore = Pick<Storage, 'getItem' | 'setItem'>

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

/** The document of the Library that a reader said a document of the service is; null without one. */
export const linkedTo = (store: LinkStore, document: string): string | null =>
  read(store).find(([known]) => known === document)?.[1] ?? null

/** Keeps which document it is; null forgets it. A storage that is full or closed costs only the memory. */
export function saveLink(store: LinkStore, document: string, itemId: string | null): void {
  const others = read(store).filter(([known]) => known !== document)
  const links: Links =
    itemId === null ? others : ([[document, itemId], ...others].slice(0, maxLinks) as Links)
  try {
    store.setItem(name, JSON.stringify(links))
  } catch {
    // It is asked again the next time.
  }
}
