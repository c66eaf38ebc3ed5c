import { shallowReactive } from 'vue'

/** Where small pictures of pages come from. */
export interface ThumbnailOptions {
  readonly count: number
  /** A page's stored small picture as bytes; null when there is none. */
  readonly load: (page: number, signal: AbortSignal) => Promise<Blob | null>
}

/** Small pictures of a document's pages, held as addresses that an image shows at once. */
export interface Thumbnails {
  /** Address of a page's picture, null until there is one; what reads it is drawn again when it comes. */
  url(page: number): string | null
  /** Pages around this one are wanted next. */
  near(page: number): void
  /** What is looked at stands on the screen: the further pages are wanted too. */
  far(): void
  /** Pages shown in a strip that have no stored picture: whoever can draws them. */
  missing(): readonly number[]
  /** Says which pages a strip shows. */
  show(pages: readonly number[]): void
  /** Takes a picture made from a page that was drawn anyway. */
  put(page: number, picture: Blob): void
  /** The page cannot be drawn small either. */
  giveUp(page: number): void
  close(): void
}

/** Pages on each side whose pictures are fetched ahead, about 8 kB each; and while the page itself is not there yet. */
const farReach = 1000
const nearReach = 4

/** Fetches one small picture after the other, nearest first, so that a column that is flung through always has something to show. */
export function createThumbnails({ count, load }: ThumbnailOptions): Thumbnails {
  const urls = shallowReactive(new Map<number, string>())
  /** Those that are known not to be stored. */
  const absent = shallowReactive(new Set<number>())
  const hopeless = new Set<number>()
  const stop = new AbortController()
  let shown: readonly number[] = []
  let middle = 1
  let busy = false
  let reach = nearReach

  function put(page: number, picture: Blob): void {
    if (stop.signal.aborted || urls.has(page)) return
    urls.set(page, URL.createObjectURL(picture))
  }
  const open = (page: number): boolean =>
    page >= 1 && page <= count && !urls.has(page) && !absent.has(page)
  function nearest(): number | null {
    const asked = shown.find(open)
    if (asked !== undefined) return asked
    for (let away = 0; away <= reach; away++) {
      if (open(middle + away)) return middle + away
      if (open(middle - away)) return middle - away
    }
    return null
  }
  async function fetchAll(): Promise<void> {
    if (busy) return
    busy = true
    for (let page = nearest(); page !== null && !stop.signal.aborted; page = nearest()) {
      const picture = await load(page, stop.signal).catch(() => null)
      if (picture) put(page, picture)
      else absent.add(page)
    }
    busy = false
  }

  return {
    url: (page) => urls.get(page) ?? null,
    near(page) {
      middle = page
      void fetchAll()
    },
    missing: () =>
      shown.filter((page) => absent.has(page) && !urls.has(page) && !hopeless.has(page)),
    far() {
      if (reach === farReach) return
      reach = farReach
      void fetchAll()
    },
    show(pages) {
      shown = pages
      void fetchAll()
    },
    put,
    giveUp: (page) => void hopeless.add(page),
    close() {
      stop.abort()
      for (const url of urls.values()) URL.revokeObjectURL(url)
      urls.clear()
    },
  }
}
