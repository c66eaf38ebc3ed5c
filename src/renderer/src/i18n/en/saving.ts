import type { FailureWords } from './failureWords.ts'

/** Failures of saving a copy; part of `errors`. */
export const saveFailures = {
  SAVE_FAILED: {
    what: 'Couldn’t save the file.',
    denied: 'Lectern can’t write to this folder.',
    held: 'The file is open in another program.',
    gone: 'The folder no longer exists.',
    long: 'The file name or path is too long.',
    large: 'The file is too large for this disk.',
    inside: 'This is Lectern’s data folder.',
    data: 'Nothing was lost.',
    todo: 'Choose another folder or name.',
  },
} as const satisfies Record<string, FailureWords>

/** Files that are saved outside Lectern. */
export const saving = {
  save: {
    as: 'Save {name}',
    audio: 'Save audio…',
    original: 'Save original file…',
    drag: 'Save, or drag to another app',
    exported: 'Ready to save: “{name}”',
    now: 'Save',
    notExported: 'Not exported. {why}',
    saving: 'Saving “{name}”…',
    cancel: 'Cancel saving “{name}”',
    saved: 'Saved “{name}”',
    downloaded: 'Downloaded “{name}”',
    failed: 'Not saved. {why}',
    reveal: 'Show in folder',
    notShown: 'Can’t show the file. {why}',
    preparing: 'Preparing “{name}”… Drag it again in a moment.',
    notDragged: 'Can’t drag the file. {why}',
  },
}
