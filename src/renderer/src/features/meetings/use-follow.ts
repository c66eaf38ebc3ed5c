import { computed, ref, watch } from 'vue'
import { followTo, type FollowPlace } from './follow-playhead.ts'

/** What following needs of the list. */
export interface FollowedList {
  /** The row that is spoken now; -1 for none. */
  nowIndex(): number
  /** New rows come at the end, and the newest is what is read. */
  grows(): boolean
  placeOf(index: number): FollowPlace | null
  /** The whole height, in pixels. */
  height(): number
  scrollTop(): number
  viewport(): number
  scrollTo(top: number): void
}

/** Whether a row is in the window, at least with its first line or so. */
export function isInView({ top, bottom, scrollTop, viewport }: FollowPlace): boolean {
  return bottom > scrollTop + 16 && top < scrollTop + viewport - 16
}

/** How long after a turn of the wheel, a key or a touch a scrolling is the reader's, in milliseconds. */
const manualScrollMs = 700
/** Within this many pixels of the end the newest row is read. */
const nearEnd = 48

/** Keeps what is said now in view until the reader scrolls away from it. `now` tells the time in milliseconds. */
export function useFollow(list: FollowedList, now: () => number) {
  const following = ref(true)
  let manualScrollAt = Number.NEGATIVE_INFINITY
  let held = false

  const toEnd = (): number => list.height() - list.viewport() - list.scrollTop()
  const scrollAlong = (): void => {
    if (!following.value) return
    if (list.grows()) {
      if (toEnd() > 1) list.scrollTo(list.height())
      return
    }
    const place = list.placeOf(list.nowIndex())
    const to = place && followTo(place)
    if (to !== null) list.scrollTo(to)
  }
  watch(() => [list.nowIndex(), list.grows() ? list.height() : 0], scrollAlong, { flush: 'post' })

  /** The reader has moved a wheel or a finger, or pressed a key that scrolls. */
  const touched = (): void => {
    manualScrollAt = now()
  }
  /** A scrollbar is held, or let go. */
  const hold = (on: boolean): void => {
    held = on
    manualScrollAt = now()
  }
  /** The list was scrolled, and not by itself. */
  const scrolled = (): void => {
    if (!held && now() - manualScrollAt >= manualScrollMs) return
    following.value = list.grows() && toEnd() < nearEnd
  }
  const pause = (): void => {
    following.value = false
  }
  const resume = (): void => {
    following.value = true
    scrollAlong()
  }
  /** The reader is elsewhere: there is a way back to offer. */
  const away = computed(() => {
    if (following.value) return false
    if (list.grows()) return toEnd() >= nearEnd
    const place = list.placeOf(list.nowIndex())
    return place !== null && !isInView(place)
  })
  return { following, away, touched, hold, scrolled, pause, resume }
}
