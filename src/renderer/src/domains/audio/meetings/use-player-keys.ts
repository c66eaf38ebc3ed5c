import { onBeforeUnmount, onMounted } from 'vue'
import { isCovered } from '../../../kit/inspector-overlay.ts'
import { isTyping } from '../../../lib/platform.ts'
import { useShell } from '../../../lib/app-store.ts'
import type { MeetingPlayer } from './use-meeting-player.ts'

/** Distance that an arrow key or a button seeks, in milliseconds. */
export const leapMs = 5000

/** Controls with their own meaning of space and the arrow keys. */
const owners =
  'button, summary, select, [role="separator"], [role="radiogroup"], [role="menu"], [popover], dialog'

/**
 * Shortcuts of the player anywhere on the page: space plays, the arrows seek, B sets a bookmark; fields and controls keep
 * theirs.
 */
export function usePlayerKeys(player: MeetingPlayer, mark: () => void): void {
  const shell = useShell()
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isTyping(event) || shell.paletteOpen || isCovered()) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.key.toLowerCase() === 'b' && !event.repeat) {
      event.preventDefault()
      mark()
      return
    }
    const target = event.target instanceof HTMLElement ? event.target : null
    const position = target?.closest('[data-position]') !== null
    const owned = !position && target?.closest(owners) !== null
    if (target && owned) return
    const slides = target instanceof HTMLInputElement && target.type === 'range' && !position
    if (event.key === ' ') player.toggle()
    else if (event.key === 'ArrowLeft' && !slides) player.seek(player.atMs.value - leapMs)
    else if (event.key === 'ArrowRight' && !slides) player.seek(player.atMs.value + leapMs)
    else return
    event.preventDefault()
  }
  onMounted(() => window.addEventListener('keydown', onKey))
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey))
}
