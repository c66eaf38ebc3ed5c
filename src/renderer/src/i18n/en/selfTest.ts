import { checkWords, noteActions, noteWords } from '../../../../shared/self-test/words.ts'

/** The self-test in Settings. Its checks are named as in the report. */
export const selfTest = {
  selfTest: {
    title: 'Check this computer',
    hint: 'Takes about a minute. Doesn’t change your library or API keys.',
    start: 'Check this computer',
    stop: 'Stop',
    copy: 'Copy report',
    save: 'Save report',
    results: 'Results',
    checking: 'Checking: {title}…',
    took: '{ms} ms',
    cancelled: 'Stopped.',
    figures: 'Passed: {passed}. Failed: {failed}. Not available here: {unavailable}.',
    verdicts: { pass: 'Passed', fail: 'Failed', unavailable: 'Not available here' },
    checks: checkWords,
    notes: noteWords,
    noteActions,
  },
  links: {
    copy: 'Copy link',
    copied: 'Link copied',
    notCopied: 'Couldn’t copy the link',
    unknown: 'This item isn’t in your library',
  },
  access: {
    denied: 'The system doesn’t allow Lectern to use the microphone.',
    undecided: 'Allow the microphone before you record.',
    allow: 'Allow microphone',
    openSettings: 'Open system settings',
    noSound: 'macOS provided no audio. Allow Lectern under Screen & System Audio Recording.',
    login: 'Open at login',
    loginHint: 'Starts Lectern in the tray so its shortcuts are always available.',
  },
}
