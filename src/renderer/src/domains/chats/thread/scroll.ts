/**
 * View of the list for the owner of its scroll position. Lengths are CSS pixels; tops are relative to the top of the
 * content.
 */
export interface ScrollView {
  readonly top: number
  /** The only method that sets the scroll position. */
  write(top: number): void
  readonly height: number
  /** Height of the rows, without the space below them. */
  readonly rows: number
  /** Sets the space below the last row, so that the question of a short answer can be at the top. */
  room(pixels: number): void
  /** Returns top and height of a message's row; null when it is not rendered. */
  row(messageId: string): { readonly top: number; readonly height: number } | null
  /** Returns a mark at the top of the view; with an ID, at the row of that message. */
  mark(messageId?: string): Mark | null
  /**
   * Returns how far a mark has moved in the content since it was created, by its element, otherwise by its row; null when
   * both are gone.
   */
  moved(mark: Mark): number | null
  /** Returns the mark at its current position; null when its element is gone. */
  again(mark: Mark): Mark | null
}

/**
 * An element that was in view when the mark was created. Tops are relative to the top of the content: the user's own
 * scrolling does not move it.
 */
export interface Mark {
  readonly messageId: string
  readonly element: unknown
  readonly top: number
  /** Top of its message's row. */
  readonly rowTop: number
}

/**
 * `follow`: the end remains in view. `hold`: the reading position is preserved. `top`: a question is at the top, its
 * answer grows below.
 */
export type ScrollMode = 'follow' | 'hold' | 'top'

/**
 * Distance from the end in pixels that still counts as the end: fractions of display scales, and half a line.
 */
const nearEnd = 8
/** Margin around a match inside a row. */
const around = 12

/** Owns the scroll position of the chat: nothing else sets it. */
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
  /** Adjusts the space for the question at the top: it shrinks as its answer grows. */
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
    /** Preserves the visible content after something was resized, added or removed. */
    settle(): void {
      makeRoom()
      keep()
      if (mode === 'hold') mark = (mark && view.again(mark)) ?? view.mark()
      onChange()
    },
    /** Handles a changed position: by the user, or as set here. */
    scrolled(): void {
      const own = Math.abs(view.top - written) < 1
      const isUp = view.top < last
      written = -1
      last = view.top
      if (own) return onChange()
      // The first pixels of scrolling up are still near the end.
      if (!atEnd() || (isUp && mode === 'hold')) return become('hold')
      // With space below its answer, the end is where the question is at the top.
      become(room > 0 ? 'top' : 'follow')
    },
    /** Called when the user starts to scroll up: from before the first pixel on, nothing else moves the text. */
    raise(): void {
      if (mode !== 'hold') become('hold')
    },
    /** Handles a question that was asked here. */
    showQuestion(messageId: string, where: 'top' | 'follow'): void {
      question = where === 'top' ? messageId : null
      makeRoom()
      become(where)
      keep()
    },
    /** Scrolls to a message and holds it there; null scrolls to the end and follows it. */
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
    /** Puts a message where another one was in the view, at this offset in pixels from its top. */
    pin(messageId: string, offset: number): void {
      const row = view.row(messageId)
      if (!row) return
      write(row.top - offset)
      become('hold', messageId)
    },
    /** Returns the message at the top of the view. */
    readsAt: (): string | null => view.mark()?.messageId ?? null,
    /** Returns the distance of a message from the top of the view; null when it is not rendered. */
    offsetOf(messageId: string): number | null {
      const row = view.row(messageId)
      return row && row.top - view.top
    },
    /** Scrolls to the start of the loaded messages. */
    begin(): void {
      write(0)
      become('hold')
    },
    /** Scrolls by a fraction of the view, for keys; returns false when it cannot scroll in this direction. */
    by(part: number): boolean {
      const before = view.top
      write(before + part * view.height)
      if (Math.abs(view.top - before) < 0.5) return false
      become(atEnd() && part > 0 && room === 0 ? 'follow' : 'hold')
      return true
    },
    /** Scrolls to a position inside a row, a third down from the top. */
    reveal(top: number, height: number): void {
      const isShown = top >= view.top + around && top + height <= view.top + view.height - around
      if (!isShown) write(top - view.height / 3)
      become('hold')
    },
    /** Resets for another chat, at its end. */
    reset(): void {
      question = null
      makeRoom()
      become('follow')
    },
  }
}

export type Scroll = ReturnType<typeof createScroll>
