import { shallowReactive } from 'vue'

/** Display mode of a block other than rendered. */
export type BlockMode = 'source' | 'edit'

/**
 * Blocks that are shown as source or are being edited, and their unsaved texts: preserved when their rows leave the
 * view.
 */
interface BlockModes {
  of(id: string): BlockMode | null
  /** Turns a mode on, or off when it is on. */
  toggle(id: string, mode: BlockMode): void
  close(id: string): void
  /** Returns the unsaved text; undefined when there is none. */
  draft(id: string): string | undefined
  keep(id: string, typed: string): void
}

/** Creates the modes, with all blocks rendered. */
export function createBlockModes(): BlockModes {
  const modes = shallowReactive(new Map<string, BlockMode>())
  const drafts = new Map<string, string>()
  const close = (id: string): void => {
    modes.delete(id)
    drafts.delete(id)
  }
  return {
    of: (id) => modes.get(id) ?? null,
    toggle(id, mode) {
      const before = modes.get(id)
      // Unsaved text is not lost when a key requests another mode.
      if (before === 'edit') return
      if (before === mode) close(id)
      else modes.set(id, mode)
    },
    close,
    draft: (id) => drafts.get(id),
    keep: (id, typed) => void drafts.set(id, typed),
  }
}
