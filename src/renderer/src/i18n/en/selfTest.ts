import { checkMessages, noteActions, noteText } from '../../../../shared/self-test/messages.ts'

/** The self-test in Settings. Its checks have the same names as in the report. */
export const selfTest = {
  selfTest: {
    title: 'Self-test',
    hint: 'Takes about a minute and changes nothing.',
    start: 'Run self-test',
    stop: 'Stop',
    copy: 'Copy report',
    save: 'Save report',
    results: 'Results',
    checking: 'Checking: {title}…',
    cancelled: 'Stopped',
    figures: '{passed} passed, {failed} failed, {unavailable} not available',
    verdicts: { pass: 'Passed', fail: 'Failed', unavailable: 'Not available' },
    checks: checkMessages,
    notes: noteText,
    noteActions,
  },
  links: {
    copy: 'Copy link',
    copied: 'Link copied',
    notCopied: 'Couldn’t copy the link',
    unknown: 'This item isn’t in your Library',
  },
  access: {
    denied: 'Allow microphone access in the system settings.',
    undecided: 'Allow microphone access before you record.',
    allow: 'Allow microphone access',
    openSettings: 'Open system settings',
    noAudio: 'No audio. Allow Lectern under Screen & System Audio Recording.',
    login: 'Open at login',
    loginHint: 'Starts Lectern without opening a window.',
  },
}
