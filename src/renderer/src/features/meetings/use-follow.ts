import { computed, ref, watch } from 'vue'
import { followTo, type FollowPlace } from './follow-playhead.ts'

/** What following needs of the list. */
export interface FollowedList {
  /** The row that is spoken now; -1 for none. */
  nowIndex(): number
  placeOf(index: number): FollowPlace | null
  scrollTo(top: number): void
}

/** Whether a row is in the window, at least with its first line or so. */
export function isInView({ top, bottom, scrollTop, viewport }: FollowPlace): boolean {
  return bottom > scrollTop + 16 && top < scrollTop + viewport - 16
}

/** How long after a turn of the wheel, a key or a touch a scrolling is the reader's, in milliseconds. */
const byHandMs = 700

/** Keeps the spoken row in view until the reader scrolls away from it. `now` tells the time in milliseconds. */
export function useFollow(list: FollowedList, now: () => number) {
  const following = ref(true)
  let handAt = Number.NEGATIVE_INFINITY
  let held = false

  const keepUp = (): void => {
    if (!following.value) return
    const place = list.placeOf(list.nowIndex())
    const to = place && followTo(place)
    if (to !== null) list.scrollTo(to)
  }
  watch(() => list.nowIndex(), keepUp, { flush: 'post' })

  /** The reader has moved a wheel or a finger, or pressed a key that scrolls. */
  const touched = (): void => {
    handAt = now()
  }
  /** A scrollbar is held, or let go. */
  const hold = (on: boolean): void => {
    held = on
    handAt = now()
  }
  /** The list was scrolled, and not by itself. */
  const scrolled = (): void => {
    if (held || now() - handAt < byHandMs) following.value = false
  }
  const resume = (): void => {
    following.value = true
    keepUp()
  }
  /** The reader is elsewhere: there is a way back to offer. */
  const away = computed(() => {
    const place = following.value ? null : list.placeOf(list.nowIndex())
    return place !== null && !isInView(place)
  })
  return { following, away, keepUp, touched, hold, scrolled, resume }
}
