import { shallowReactive } from 'vue'

/** Where small pictures of pages come from. */
export interface ThumbnailOptions {
  readonly count: number
  /** Addresses of the small pictures of pages `first` to `last` that are stored, by page. */
  readonly stored: (first: number, last: number) => Promise<ReadonlyMap<number, string>>
  /** Address of a page's small picture that was not stored when it was asked; null when there is none. */
  readonly made: (page: number) => Promise<string | null>
  /** A picture's bytes; null when it is gone. */
  readonly load: (address: string, signal: AbortSignal) => Promise<Blob | null>
  /** A picture decoded, very small: it is drawn within the frame in which its page comes. */
  readonly sketch: (image: Blob) => Promise<ImageBitmap | null>
}

/** A page's small picture as the bytes of its file, and decoded where it could be, very small. */
export interface SmallPage {
  readonly image: Blob
  readonly sketch: ImageBitmap | null
}

/** Small pictures of a document's pages, held as the bytes of their files. */
export interface Thumbnails {
  /** A page's picture, null until there is one; what reads it is drawn again when it comes. */
  small(page: number): SmallPage | null
  /** Pages around this one are wanted next. */
  near(page: number): void
  /** What is looked at stands on the screen: the further pages are wanted too, and no large picture is any more. */
  far(): void
  /** Address of a large picture that is shown in the place of the small one; null for most. */
  large(page: number): string | null
  /** Takes a large picture of a page, for as long as nothing is drawn. */
  putLarge(page: number, address: string): void
  /** Pages shown in a strip that have no stored picture: whoever can draws them. */
  missing(): readonly number[]
  /** Says which pages a strip shows. */
  show(pages: readonly number[]): void
  /** Takes a picture made from a page that was drawn anyway. */
  put(page: number, image: Blob): void
  /** The page cannot be drawn small either. */
  giveUp(page: number): void
  close(): void
}

/** Pages on each side whose pictures are fetched ahead, about 8 kB each; and while the page itself is not there yet. */
const farReach = 1000
const nearReach = 4
/** Pictures on their way at the same time: a single one would wait for its reply most of the time. */
const lanes = 4
/** Pages whose addresses are asked for at a time. */
const batchSize = 100

/** Fetches small pictures, nearest first, so that a column that is flung through always has something to show. */
export function createThumbnails(options: ThumbnailOptions): Thumbnails {
  const { count } = options
  const images = shallowReactive(new Map<number, SmallPage>())
  const largeOnes = shallowReactive(new Map<number, string>())
  /** Those that are known not to be stored. */
  const absent = shallowReactive(new Set<number>())
  const hopeless = new Set<number>()
  const pending = new Set<number>()
  const batches = new Map<number, Promise<ReadonlyMap<number, string>>>()
  const stop = new AbortController()
  let shown: readonly number[] = []
  let middle = 1
  let busy = 0
  let reach = nearReach
  let isDrawn = false

  async function put(page: number, image: Blob): Promise<void> {
    if (stop.signal.aborted || images.has(page)) return
    const sketch = await options.sketch(image).catch(() => null)
    if (stop.signal.aborted || images.has(page)) sketch?.close()
    else images.set(page, { image, sketch })
  }
  const open = (page: number): boolean =>
    page >= 1 && page <= count && !images.has(page) && !absent.has(page) && !pending.has(page)
  function nearest(): number | null {
    const found = shown.find(open)
    if (found !== undefined) return found
    for (let away = 0; away <= reach; away++) {
      if (open(middle + away)) return middle + away
      if (open(middle - away)) return middle - away
    }
    return null
  }
  function addresses(page: number): Promise<ReadonlyMap<number, string>> {
    const first = page - ((page - 1) % batchSize)
    const known = batches.get(first)
    if (known) return known
    const request = options.stored(first, Math.min(count, first + batchSize - 1))
    batches.set(first, request)
    return request
  }
  async function imageOf(page: number): Promise<Blob | null> {
    const address = (await addresses(page)).get(page) ?? (await options.made(page))
    return address === null ? null : options.load(address, stop.signal)
  }
  async function loadPages(): Promise<void> {
    for (let page = nearest(); page !== null && !stop.signal.aborted; page = nearest()) {
      pending.add(page)
      const found = await imageOf(page).catch(() => null)
      if (found) await put(page, found)
      else absent.add(page)
      pending.delete(page)
    }
    busy -= 1
  }
  function fetchAll(): void {
    while (busy < lanes && nearest() !== null && !stop.signal.aborted) {
      busy += 1
      void loadPages()
    }
  }

  return {
    small: (page) => images.get(page) ?? null,
    large: (page) => largeOnes.get(page) ?? null,
    near(page) {
      middle = page
      fetchAll()
    },
    missing: () =>
      shown.filter((page) => absent.has(page) && !images.has(page) && !hopeless.has(page)),
    far() {
      isDrawn = true
      largeOnes.clear()
      if (reach === farReach) return
      reach = farReach
      fetchAll()
    },
    putLarge(page, address) {
      if (!isDrawn && !stop.signal.aborted) largeOnes.set(page, address)
    },
    show(pages) {
      shown = pages
      fetchAll()
    },
    put: (page, image) => void put(page, image),
    giveUp: (page) => void hopeless.add(page),
    close() {
      stop.abort()
      for (const { sketch } of images.values()) sketch?.close()
      images.clear()
      largeOnes.clear()
    },
  }
}
