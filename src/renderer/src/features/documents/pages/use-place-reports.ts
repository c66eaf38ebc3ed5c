import { onBeforeUnmount } from 'vue'
import type { ReadingPosition } from '../../../../../shared/bridge/documents.ts'
import { debounce } from './debounce.ts'

/** Who is told of the column. */
export interface PlaceReportOptions {
  /** Where the column stands now. */
  readonly place: () => ReadingPosition | null
  readonly onPlace: (place: ReadingPosition) => void
  readonly onRange: (first: number, last: number) => void
}

/** From the last movement until the place is told, in milliseconds. */
const restMs = 200
/** Pages that change faster than this are flung past, and not worth reading. */
const rangeMs = 120

/** Tells where the column stands once it rests, and which pages are in view unless they are flung past. */
export function usePlaceReports({ place, onPlace, onRange }: PlaceReportOptions) {
  const range = debounce(rangeMs, onRange)
  let resting = 0
  onBeforeUnmount(() => {
    clearTimeout(resting)
    range.stop()
  })
  return {
    range,
    /** The column moved. */
    place(): void {
      clearTimeout(resting)
      resting = window.setTimeout(() => {
        const now = place()
        if (now) onPlace(now)
      }, restMs)
    },
  }
}
