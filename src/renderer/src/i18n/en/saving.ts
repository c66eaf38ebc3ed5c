import type { FailureWords } from './errors.ts'

/** Why a file could not be saved (`main/services/saves/write-copy.ts`), each in a sentence of its own. */
export interface SaveProblems {
  readonly denied?: string
  readonly held?: string
  readonly gone?: string
  readonly long?: string
  readonly large?: string
  readonly inside?: string
}

/** What the reader is told about a copy that was not saved; part of `errors`. */
export const saveFailures = {
  SAVE_FAILED: {
    what: 'Lectern couldn’t save the file.',
    denied: 'Lectern has no permission to write to this folder.',
    held: 'The file you want to replace is open in another program.',
    gone: 'The folder no longer exists.',
    long: 'The file name or path is too long.',
    large: 'The file is too large for this disk.',
    inside: 'Files can’t be saved in Lectern’s own data folder.',
    data: 'Nothing was lost. The original is still in Lectern.',
    todo: 'Choose another folder or name.',
  },
} as const satisfies Record<string, FailureWords>

/** Files that leave Lectern. */
export const saving = {
  save: {
    as: 'Save {name}',
    menu: 'Save…',
    drag: 'Click to save, or drag to another app',
    original: 'Original file',
    saving: 'Saving “{name}”',
    cancel: 'Cancel saving “{name}”',
    saved: 'Saved “{name}”',
    downloaded: 'Downloaded “{name}”',
    failed: 'Couldn’t save the file. {why}',
    reveal: 'Show in folder',
    notShown: 'Couldn’t show the file. {why}',
    preparing: 'Preparing “{name}”. Drag it again in a moment.',
    notDragged: 'Couldn’t drag the file. {why}',
  },
}
