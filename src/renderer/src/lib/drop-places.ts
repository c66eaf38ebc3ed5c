import { defineStore } from 'pinia'
import { onBeforeUnmount, onMounted, shallowRef } from 'vue'
import { textFormatOfMime } from '../../../shared/documents/text-formats.ts'

/**
 * What a dragged file is, from the type that the browser tells before it is dropped: `unknown` without one, `other` for a type that
 * Lectern cannot import.
 */
export type DraggedKind = 'recording' | 'image' | 'document' | 'exported' | 'unknown' | 'other'

/** Returns the kind of a file by its MIME type. */
export function kindOfType(mime: string): DraggedKind {
  if (mime === '') return 'unknown'
  if (/^(?:audio|video)\//.test(mime)) return 'recording'
  if (mime === 'application/json') return 'exported'
  if (mime.startsWith('image/')) return 'image'
  const isDocument = /^application\/(?:pdf|xhtml\+xml)$/.test(mime)
  return isDocument || textFormatOfMime(mime) !== null ? 'document' : 'other'
}

/** Where dropped files go instead of the Library. */
interface DropPlace {
  /** What will happen with them: “Add to this chat”. */
  label(): string
  /** Whether it is for files of this kind; files that it does not accept are its own to refuse. */
  accepts(kind: DraggedKind): boolean
  drop(files: readonly File[]): void
}

/** Opened pages that files can be dropped into, the last one opened first. */
export const useDropPlaces = defineStore('drop-places', () => {
  const places = shallowRef<readonly DropPlace[]>([])
  const add = (place: DropPlace): void => {
    places.value = [place, ...places.value]
  }
  const remove = (place: DropPlace): void => {
    places.value = places.value.filter((one) => one !== place)
  }
  /** Returns where files of these kinds go; null for the Library. */
  const placeFor = (kinds: readonly DraggedKind[]): DropPlace | null =>
    places.value.find(({ accepts }) => kinds.some((kind) => accepts(kind))) ?? null
  return { add, remove, placeFor }
})

/** Files dropped anywhere on the window go to this component while it is mounted. */
export function useDropPlace(place: DropPlace): void {
  const places = useDropPlaces()
  onMounted(() => places.add(place))
  onBeforeUnmount(() => places.remove(place))
}
