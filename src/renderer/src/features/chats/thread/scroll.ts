/** What the one owner of scrolling sees of the list and does to it. Lengths are CSS pixels; tops count from the top of the content. */
export interface ScrollView {
  readonly top: number
  /** The only way a scroll position is written. */
  write(top: number): void
  readonly height: number
  /** Of the rows, without the room below them. */
  readonly rows: number
  /** Room below the last row, so that a short answer's question can stand at the top. */
  room(pixels: number): void
  /** Top and height of a message's row; null when it is not drawn. */
  row(messageId: string): { readonly top: number; readonly height: number } | null
  /** What is read at the top of the view; with an id, the row of that message. */
  mark(messageId?: string): Mark | null
  /** How far a mark was moved inside the content since it was made, by its element, else by its row; null when both are gone. */
  moved(mark: Mark): number | null
  /** The mark as it stands now; null when its element is gone. */
  again(mark: Mark): Mark | null
}

/** An element that was in view when it was made. Tops count from the top of the content: the reader's own scrolling is no move. */
export interface Mark {
  readonly messageId: string
  readonly element: unknown
  readonly top: number
  /** Of its message's row. */
  readonly rowTop: number
}

/** `follow`: the end stays in view. `hold`: what is read stays where it is. `top`: a question stands at the top, its answer grows below. */
export type ScrollMode = 'follow' | 'hold' | 'top'

/** How near the end counts as the end, in pixels: fractions of display scales, and half a line. */
const nearEnd = 8
/** Room around a place inside a row. */
const around = 12

/** Owns the scroll position of the conversation: nothing else writes it. */
export function createScroll(view: ScrollView, onChange: () => void = () => undefined) {
  let mode: ScrollMode = 'follow'
  let question: string | null = null
  let mark: Mark | null = null
  let room = 0
  let written = -1
  let last = 0

  const end = (): number => Math.max(0, view.rows + room - view.height)
  const write = (top: number): void => {
    const wanted = Math.max(0, Math.min(top, end()))
    if (Math.abs(view.top - wanted) < 0.5) return
    view.write(wanted)
    written = view.top
    last = written
  }
  const become = (next: ScrollMode, at?: string): void => {
    mode = next
    mark = next === 'hold' ? view.mark(at) : null
    onChange()
  }
  const atEnd = (): boolean => view.top >= end() - nearEnd
  /** As much room as the question at the top needs: it shrinks as its answer grows. */
  const makeRoom = (): void => {
    const row = question === null ? null : view.row(question)
    const wanted = row ? Math.max(0, row.top + view.height - view.rows) : 0
    if (Math.abs(wanted - room) < 0.5) return
    room = wanted
    view.room(room)
  }
  const keep = (): void => {
    if (mode === 'follow') return write(end())
    const row = mode === 'top' && question !== null ? view.row(question) : null
    if (row) return write(row.top)
    const moved = mark && view.moved(mark)
    if (moved !== null) write(view.top + moved)
  }

  return {
    get mode() {
      return mode
    },
    get atEnd() {
      return atEnd()
    },
    /** Something changed its size, came or went: what is shown stays shown. */
    settle(): void {
      makeRoom()
      keep()
      if (mode === 'hold') mark = (mark && view.again(mark)) ?? view.mark()
      onChange()
    },
    /** The position is another one: by the reader, or as it was written here. */
    scrolled(): void {
      const own = Math.abs(view.top - written) < 1
      const isUp = view.top < last
      written = -1
      last = view.top
      if (own) return onChange()
      // The first pixels of a move upwards are still near the end.
      if (!atEnd() || (isUp && mode === 'hold')) return become('hold')
      // With room below its answer, the end is where the question stands at the top.
      become(room > 0 ? 'top' : 'follow')
    },
    /** The reader goes up: nothing moves the text under their hand any more, from before the first pixel. */
    raise(): void {
      if (mode !== 'hold') become('hold')
    },
    /** A question was asked here. */
    showQuestion(messageId: string, where: 'top' | 'follow'): void {
      question = where === 'top' ? messageId : null
      makeRoom()
      become(where)
      keep()
    },
    /** Brings a message into view and holds it there; null: the end, and follows it. */
    go(messageId: string | null, where: 'top' | 'near' = 'top'): void {
      if (messageId === null) {
        become('follow')
        return keep()
      }
      const row = view.row(messageId)
      if (!row) return
      const bottom = row.top + row.height
      const fits = row.height <= view.height
      const shown = row.top >= view.top && bottom <= view.top + view.height
      if (where === 'near' && shown) return
      const below = where === 'near' && fits && bottom > view.top + view.height
      write(below ? bottom - view.height : row.top)
      become('hold', messageId)
    },
    /** Holds a message where another one stood in the view, so many pixels below its top. */
    pin(messageId: string, offset: number): void {
      const row = view.row(messageId)
      if (!row) return
      write(row.top - offset)
      become('hold', messageId)
    },
    /** The message at the top of the view. */
    readsAt: (): string | null => view.mark()?.messageId ?? null,
    /** How far below the top of the view a message stands; null when it is not drawn. */
    offsetOf(messageId: string): number | null {
      const row = view.row(messageId)
      return row && row.top - view.top
    },
    /** To the very beginning of what is held. */
    begin(): void {
      write(0)
      become('hold')
    },
    /** By a part of the view, for keys; false when it cannot go that way. */
    by(part: number): boolean {
      const before = view.top
      write(before + part * view.height)
      if (Math.abs(view.top - before) < 0.5) return false
      become(atEnd() && part > 0 && room === 0 ? 'follow' : 'hold')
      return true
    },
    /** Brings a place inside a row into view, a third down from the top. */
    reveal(top: number, height: number): void {
      const isShown = top >= view.top + around && top + height <= view.top + view.height - around
      if (!isShown) write(top - view.height / 3)
      become('hold')
    },
    /** Another conversation: at its end. */
    reset(): void {
      question = null
      makeRoom()
      become('follow')
    },
  }
}

/** The owner of one conversation's scrolling. */
export type Scroll = ReturnType<typeof createScroll>
