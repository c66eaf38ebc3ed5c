import { computed, ref, watch } from 'vue'
import { followTo, type FollowPlace } from './follow-playhead.ts'

/** The list as needed for following. */
interface FollowedList {
  /** Returns the row spoken now; -1 for none. */
  nowIndex(): number
  /** Returns whether new rows are added at the end, and the newest is followed. */
  grows(): boolean
  placeOf(index: number): FollowPlace | null
  /** Returns the total height, in pixels. */
  height(): number
  scrollTop(): number
  viewport(): number
  scrollTo(top: number): void
}

/** Whether a row is in the viewport, at least with about its first line. */
export function isInView({ top, bottom, scrollTop, viewport }: FollowPlace): boolean {
  return bottom > scrollTop + 16 && top < scrollTop + viewport - 16
}

/** Milliseconds after a wheel, key or touch event for which scrolling counts as the user's. */
const manualScrollMs = 700
/** Distance from the end in pixels within which the newest row is followed. */
const nearEnd = 48

/** Keeps the spoken row in view until the user scrolls away from it. `now` returns the time in milliseconds. */
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

  /** Called when the user turned a wheel, moved a finger, or pressed a scrolling key. */
  const touched = (): void => {
    manualScrollAt = now()
  }
  /** Called when a scrollbar is pressed or released. */
  const hold = (on: boolean): void => {
    held = on
    manualScrollAt = now()
  }
  /** Called when the list was scrolled, but not by the program. */
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
  /** Whether the user is elsewhere, so that a button to return is offered. */
  const away = computed(() => {
    if (following.value) return false
    if (list.grows()) return toEnd() >= nearEnd
    const place = list.placeOf(list.nowIndex())
    return place !== null && !isInView(place)
  })
  return { following, away, touched, hold, scrolled, pause, resume }
}
