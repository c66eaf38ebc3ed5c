/**
 * English texts of each check: its title, and the action when it fails. The page shows the same texts; reports are always
 * English.
 */
export const checkMessages = {
  page: { title: 'Page connection', action: 'Restart Lectern.' },
  'computer-sound': {
    title: 'Computer audio',
    action: 'Allow system audio recording. On Linux, install PipeWire or PulseAudio.',
  },
  window: { title: 'Window', action: 'Connect a display, then restart Lectern.' },
  sandbox: {
    title: 'Sandbox',
    action: 'Start without --no-sandbox. On Ubuntu 24.04, see the install notes.',
  },
  isolation: { title: 'Page isolation', action: 'Reinstall Lectern.' },
  graphics: { title: 'Graphics', action: 'Update the graphics driver.' },
  fonts: { title: 'Chinese fonts', action: 'Install a Chinese font, such as Noto Sans CJK.' },
  versions: { title: 'Components', action: 'Reinstall Lectern.' },
  clock: { title: 'Clock', action: 'Correct the date and time.' },
  'temp-folder': {
    title: 'Temporary folder',
    action: 'Free up disk space and check the folder’s permissions.',
  },
  'data-folder': {
    title: 'Data folder',
    action: 'Check the folder’s permissions. Find it in Settings > Storage.',
  },
  'disk-space': {
    title: 'Disk space',
    action: 'Free up at least 1 GB.',
  },
  keychain: { title: 'Keychain', action: 'Unlock the keychain, then try again.' },
  proxy: { title: 'Proxy', action: 'Check the proxy in Settings > Network.' },
  workers: { title: 'Background processes', action: 'Reinstall Lectern.' },
  database: {
    title: 'Database',
    action: 'Check the disk for errors, then reinstall Lectern.',
  },
  media: { title: 'File access', action: 'Restart Lectern.' },
  playback: { title: 'Audio playback', action: 'Restart Lectern.' },
  upload: {
    title: 'File import',
    action: 'Free up 1 GB for temporary files, then restart Lectern.',
  },
  'large-file': {
    title: 'Large files',
    action: 'Free up 1 GB for temporary files.',
  },
  'local-service': {
    title: 'On-device service',
    action: 'Reinstall Lectern.',
  },
  pdf: { title: 'PDF', action: 'Reinstall Lectern.' },
  search: { title: 'Search', action: 'Reinstall Lectern.' },
  ocr: { title: 'Text recognition', action: 'Reinstall Lectern.' },
  speech: { title: 'Transcription', action: 'Reinstall Lectern.' },
  embeddings: { title: 'Embeddings', action: 'Reinstall Lectern.' },
  recording: { title: 'Recording', action: 'Free up disk space.' },
  export: { title: 'Export', action: 'Reinstall Lectern.' },
  archive: { title: 'Library archive', action: 'Free up disk space.' },
  print: { title: 'Print to PDF', action: 'Restart Lectern.' },
  'microphone-access': {
    title: 'Microphone permission',
    action: 'Allow microphone access in your system’s privacy settings.',
  },
  microphone: {
    title: 'Microphone',
    action: 'Allow microphone access in the browser or system settings.',
  },
  notifications: {
    title: 'Notifications',
    action: 'Allow notifications in the system settings.',
  },
  shortcut: {
    title: 'Global shortcut',
    action: 'Close programs that use the same shortcut.',
  },
  links: { title: 'Lectern links', action: 'Reinstall Lectern.' },
  updates: { title: 'Updates', action: 'Check your network.' },
} as const

export type CheckId = keyof typeof checkMessages

/** Findings of checks as sentences; names in braces are values of the outcome. */
export const noteText = {
  // passed
  works: 'OK',
  answers: 'Responded in {time} ms.',
  versions: 'Node.js {node}, SQLite {sqlite}, {engine}.',
  space: '{free} GB free.',
  storedIn: '{store} works.',
  directNetwork: 'No proxy.',
  proxyReached: 'Connected.',
  workersStart: 'Started: {count}.',
  moved: 'Transferred {size} MB in {seconds} s.',
  recognized: 'Recognized the test sample.',
  allowed: 'Allowed.',
  notAsked: 'The system asks when you first record.',
  devices: 'Found: {count}.',
  withWebgl: 'WebGL works.',
  withoutWebgl: 'WebGL isn’t available, but it isn’t required.',
  updateServer: 'Valid response.',
  // failed
  broke: 'Failed: {code}.',
  wrongResult: 'Wrong result.',
  tooSlow: 'No result after {seconds} s.',
  noPage: 'No response.',
  notVisible: 'Not visible.',
  sandboxOff: 'Off.',
  exposed: 'The page can access {name}.',
  outdated: '{name} {version} is too old.',
  wrongDate: 'The date is wrong.',
  clockJumps: 'Off by {seconds} s.',
  openFolder: 'Other users can read this folder.',
  littleSpace: 'Only {free} GB free.',
  locked: 'Locked or not responding.',
  proxyDown: 'Couldn’t connect.',
  workersMissing: 'Couldn’t start: {names}.',
  glyphsMissing: 'Can’t display Chinese.',
  denied: 'Not allowed.',
  silent: 'The audio stopped immediately.',
  toneNotDetected: 'The test tone wasn’t recorded.',
  microphoneSilent: 'Only silence.',
  microphoneBusy: 'Another program may be using it.',
  taken: 'Already in use.',
  notRegistered: 'Another program opens these links.',
  updateFault: 'No valid response ({code}).',
  // not available here
  needsWindow: 'Only in the desktop app.',
  needsPage: 'Only from Settings > About.',
  notOffered: 'Not supported on this system.',
  asksEachTime: 'The browser asks each time.',
  noKeychain: 'None. API keys are kept until Lectern closes.',
  noMicrophone: 'None connected.',
  notInstalled: 'Only in the installed app.',
  noUpdates: 'Not in this build.',
  updatesOff: 'Off.',
  updatesBusy: 'Skipped: a recording or check is in progress.',
} as const

export type NoteId = keyof typeof noteText

/** Recommended actions for findings, where the check’s own action is too general. */
export const noteActions = {
  tooSlow: 'Close other programs, then try again.',
  noPage: checkMessages.page.action,
  toneNotDetected: 'Turn up the volume and allow system audio recording.',
  microphoneSilent: 'Unmute it or choose another microphone.',
  microphoneBusy: 'Close programs that use the microphone.',
} as const satisfies Partial<Record<NoteId, string>>
