import { onBeforeUnmount } from 'vue'
import type { ReadingPosition } from '../../../../../shared/contract/documents.ts'
import { debounce } from './debounce.ts'

/** Callbacks of the column's position. */
export interface PlaceReportOptions {
  /** Returns the current position of the column. */
  readonly place: () => ReadingPosition | null
  readonly onPlace: (place: ReadingPosition) => void
  readonly onRange: (first: number, last: number) => void
}

/** Milliseconds from the last movement until the position is reported. */
const restMs = 200
/** Pages that change within fewer milliseconds are scrolled past, and not loaded. */
const rangeMs = 120

/** Reports the position of the column once it rests, and the pages in view unless they are scrolled past. */
export function usePlaceReports({ place, onPlace, onRange }: PlaceReportOptions) {
  const range = debounce(rangeMs, onRange)
  let resting = 0
  onBeforeUnmount(() => {
    clearTimeout(resting)
    range.stop()
  })
  return {
    range,
    /** Called when the column has moved. */
    place(): void {
      clearTimeout(resting)
      resting = window.setTimeout(() => {
        const now = place()
        if (now) onPlace(now)
      }, restMs)
    },
  }
}
