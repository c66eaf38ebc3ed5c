import { computed, nextTick, onMounted, ref, watch, type Ref } from 'vue'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import type { TextRange } from './line-segments.ts'
import { useMeasuredRows } from '../../../kit/measured-rows.ts'
import { rowIndexAt, rowRem } from './rows.ts'
import { wordAt } from './current-word.ts'
import { useMeeting } from './meetings-store.ts'
import { useFollow } from './use-follow.ts'

/** Width of a letter, and of the columns next to a line's text, in rem. */
const letterRem = 0.45
const sideColumnRem = 9
/** Maximum width of text, in rem. */
const measureRem = 44
/** Duration of the highlight of a row after navigation, in milliseconds. */
const highlightMs = 1500

/** The transcript on screen: drawn rows, the focused one, the word spoken now, and navigation. */
export function useTranscript(box: Ref<HTMLElement | null>) {
  const workspace = useMeetingWorkspace()
  const store = useMeeting()
  const letters = ref(70)
  const rows = computed(() => workspace.rows)
  const guessed = computed(() =>
    rows.value.map((row) => ({ key: row.key, rem: rowRem(row, letters.value) })),
  )
  const list = useMeasuredRows(box, guessed)
  watch(list.wide, (wide) => {
    letters.value = Math.floor((Math.min(wide, measureRem) - sideColumnRem) / letterRem)
  })

  const atMs = computed(() => workspace.player?.atMs.value ?? 0)
  const playing = computed(() => workspace.player?.playing.value ?? false)
  const growing = computed(
    () => !playing.value && ['recording', 'paused'].includes(store.meeting?.state ?? ''),
  )
  const nowIndex = computed(() =>
    atMs.value > 0 || playing.value ? rowIndexAt(rows.value, atMs.value) : -1,
  )
  const follow = useFollow(
    {
      nowIndex: () => nowIndex.value,
      grows: () => growing.value,
      placeOf: list.placeOf,
      height: () => list.height.value,
      scrollTop: () => list.scrollTop.value,
      viewport: () => list.viewport.value,
      scrollTo: list.scrollTo,
    },
    () => performance.now(),
  )
  // A user who starts playback wants to follow the text.
  watch(playing, (on) => on && follow.resume())

  const drawn = computed(() => rows.value.slice(list.shown.value.from, list.shown.value.to))
  /** Key of the row at the position of the player; null before it was moved. */
  const now = computed(() => rows.value[nowIndex.value]?.key ?? null)
  /** As a string, so that an unchanged value does not redraw. */
  const spokenText = computed(() =>
    nowIndex.value < 0
      ? ''
      : drawn.value
          .flatMap((row) => {
            const word =
              row.kind === 'line' && wordAt(row.line, atMs.value, workspace.voicedOf(row.line))
            return word ? [`${word[0]} ${word[1]} ${row.key}`] : []
          })
          .join('\n'),
  )
  /** The words spoken now, by line. */
  const spoken = computed(() => {
    const found = spokenText.value.matchAll(/^(\d+) (\d+) (.+)$/gm)
    return new Map(
      Array.from(found, ([, from, to, key]): [string, TextRange] => [
        key ?? '',
        [Number(from), Number(to)],
      ]),
    )
  })

  /** Key of the row that receives the focus. */
  const active = ref<string | null>(null)
  const lit = ref<string | null>(null)
  let highlightTimer: ReturnType<typeof setTimeout> | undefined
  const indexOf = (key: string | null): number => rows.value.findIndex((row) => row.key === key)
  const elementOf = (key: string): HTMLElement | null =>
    box.value?.querySelector(`[data-row="${CSS.escape(key)}"]`) ?? null

  /** Scrolls as little as needed to show a whole row, or until it is at a third of the viewport. */
  const reveal = (index: number, how: 'near' | 'third'): void => {
    const place = list.placeOf(index)
    if (!place) return
    const { top, bottom, scrollTop, viewport } = place
    if (how === 'third') list.scrollTo(Math.max(0, top - viewport / 3))
    else if (top < scrollTop) list.scrollTo(top)
    else if (bottom > scrollTop + viewport) list.scrollTo(Math.min(top, bottom - viewport))
  }
  const focusRow = async (index: number): Promise<void> => {
    const row = rows.value[index]
    if (!row) return
    active.value = row.key
    reveal(index, 'near')
    await nextTick()
    elementOf(row.key)?.focus({ preventScroll: true })
  }
  const light = (key: string): void => {
    lit.value = key
    clearTimeout(highlightTimer)
    highlightTimer = setTimeout(() => (lit.value = null), highlightMs)
  }

  /** Goes to the target of the workspace, once the lines of that moment are loaded. */
  const goToGoal = (): void => {
    const { goal } = workspace
    if (!goal || rows.value.length === 0) return
    if (!store.whole && (rows.value.at(-1)?.startMs ?? 0) < goal.ms) return
    workspace.goal = null
    const index = Math.max(0, rowIndexAt(rows.value, goal.ms))
    const row = rows.value[index]
    if (!row) return
    active.value = row.key
    reveal(index, 'third')
    light(row.key)
    follow.resume()
  }
  watch([() => workspace.goal, rows, () => store.whole], goToGoal, { flush: 'post' })
  onMounted(async () => {
    // The viewport is measured first.
    await nextTick()
    if (workspace.goal) goToGoal()
    else follow.resume()
  })

  /** Scrolls to the current match with its word. */
  watch(
    () => workspace.find.current,
    async (place) => {
      const index = place ? indexOf(place.lineId) : -1
      if (!place || index < 0) return
      follow.pause()
      const at = list.placeOf(index)
      if (at && (at.top < at.scrollTop || at.bottom > at.scrollTop + at.viewport))
        reveal(index, 'third')
      await nextTick()
      elementOf(place.lineId)?.querySelector('mark.current')?.scrollIntoView({ block: 'nearest' })
    },
    { flush: 'post' },
  )
  // The focus must not leave the list with a row that is scrolled away.
  watch(
    drawn,
    (mounted) => {
      const row = document.activeElement?.closest<HTMLElement>('[data-row]')
      if (!row || !box.value?.contains(row)) return
      if (!mounted.some(({ key }) => key === row.dataset['row']))
        box.value.focus({ preventScroll: true })
    },
    { flush: 'pre' },
  )
  const onScroll = (): void => {
    if (list.onScroll()) follow.scrolled()
  }
  return {
    rows,
    drawn,
    list,
    follow,
    growing,
    now,
    spoken,
    active,
    lit,
    indexOf,
    elementOf,
    focusRow,
    onScroll,
  }
}

/** The transcript on screen. */
export type Transcript = ReturnType<typeof useTranscript>
