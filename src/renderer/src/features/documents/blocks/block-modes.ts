import { shallowReactive } from 'vue'

/** How a block is shown other than drawn. */
export type BlockMode = 'source' | 'edit'

/** Which blocks are shown as their source or are being edited, and what was typed: kept when their rows leave the view. */
export interface BlockModes {
  of(id: string): BlockMode | null
  /** Turns a mode on; asked for the one that is on, it turns it off. */
  toggle(id: string, mode: BlockMode): void
  close(id: string): void
  /** What was typed and is not saved; undefined when nothing was. */
  draft(id: string): string | undefined
  keep(id: string, typed: string): void
}

/** Builds them, with nothing shown otherwise. */
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
      // What is typed is not lost to a key for something else.
      if (before === 'edit') return
      if (before === mode) close(id)
      else modes.set(id, mode)
    },
    close,
    draft: (id) => drafts.get(id),
    keep: (id, typed) => void drafts.set(id, typed),
  }
}
