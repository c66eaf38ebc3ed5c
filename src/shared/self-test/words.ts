/** Each check in English: its title, and what to do when it fails. The page shows the same texts; reports are always English. */
export const checkWords = {
  page: { title: 'Page connection', action: 'Reload the window or restart Lectern.' },
  'computer-sound': {
    title: 'Computer audio',
    action:
      'Allow Lectern to record system audio in the privacy settings. Linux requires PipeWire or PulseAudio.',
  },
  window: { title: 'Window', action: 'Restart Lectern and check that a display is connected.' },
  sandbox: {
    title: 'Sandbox',
    action: 'Start Lectern without --no-sandbox. On Ubuntu 24.04, follow the install notes.',
  },
  isolation: { title: 'Page isolation', action: 'Reinstall Lectern from its official source.' },
  graphics: { title: 'Graphics', action: 'Update the graphics driver.' },
  fonts: { title: 'Chinese fonts', action: 'Install a Chinese font, such as Noto Sans CJK.' },
  versions: { title: 'Components', action: 'Reinstall Lectern from its official source.' },
  clock: { title: 'Clock', action: 'Correct the date and time on this computer.' },
  'temp-folder': {
    title: 'Temporary folder',
    action: 'Free up disk space and check the permissions of the temporary folder.',
  },
  'data-folder': {
    title: 'Data folder',
    action: 'Check the permissions of the data folder. Settings > Storage shows where it is.',
  },
  'disk-space': {
    title: 'Disk space',
    action: 'Free up at least 1 GB on the disk with your library.',
  },
  keychain: { title: 'Keychain', action: 'Unlock the system keychain, then check again.' },
  proxy: { title: 'Proxy', action: 'Check the proxy in Settings > Network.' },
  workers: { title: 'Background processes', action: 'Reinstall Lectern, then start it again.' },
  database: {
    title: 'Database',
    action: 'Check the disk for errors, then reinstall Lectern.',
  },
  media: { title: 'File access', action: 'Restart Lectern.' },
  playback: { title: 'Audio playback', action: 'Restart Lectern.' },
  upload: {
    title: 'File import',
    action: 'Free 1 GB on the disk of the temporary folder, and restart Lectern.',
  },
  'large-file': {
    title: 'Large files',
    action: 'Free up 1 GB on the disk with the temporary folder, then check again.',
  },
  'local-service': {
    title: 'On-device service',
    action: 'Reinstall Lectern from its official source.',
  },
  pdf: { title: 'PDF', action: 'Reinstall Lectern from its official source.' },
  search: { title: 'Search', action: 'Reinstall Lectern from its official source.' },
  ocr: { title: 'Text recognition', action: 'Reinstall Lectern to restore its models.' },
  speech: { title: 'Transcription', action: 'Reinstall Lectern to restore its models.' },
  embeddings: { title: 'Embeddings', action: 'Reinstall Lectern to restore its models.' },
  recording: { title: 'Recording', action: 'Free up disk space, then check again.' },
  export: { title: 'Export', action: 'Reinstall Lectern from its official source.' },
  archive: { title: 'Library archive', action: 'Free up disk space, then check again.' },
  print: { title: 'Print to PDF', action: 'Restart Lectern.' },
  'microphone-access': {
    title: 'Microphone permission',
    action: 'Allow Lectern to use the microphone in the system’s privacy settings.',
  },
  microphone: {
    title: 'Microphone',
    action: 'Allow this page to use the microphone in the browser or system settings.',
  },
  notifications: {
    title: 'Notifications',
    action: 'Allow Lectern to show notifications in the system settings.',
  },
  shortcut: {
    title: 'Global shortcut',
    action: 'Close programs that use global shortcuts, then check again.',
  },
  links: { title: 'Lectern links', action: 'Reinstall Lectern to register its links.' },
  updates: { title: 'Updates', action: 'Check your network and try again later.' },
} as const

/** Id of a check. */
export type CheckId = keyof typeof checkWords

/** What a check found, as a sentence; names in braces are figures of the outcome. */
export const noteWords = {
  // passed
  works: 'Works.',
  answers: 'The page responded in {time} ms.',
  versions: 'Node.js {node}, SQLite {sqlite}, {engine}.',
  space: '{free} GB free.',
  storedIn: 'Wrote, read, and deleted a test entry in {store}.',
  directNetwork: 'Direct connection, no proxy.',
  proxyReached: 'The proxy accepts connections.',
  workersStart: 'Background processes started: {count}.',
  moved: 'Transferred {size} MB in {seconds} s.',
  recognized: 'Recognized the test sample.',
  allowed: 'Allowed.',
  notAsked: 'The system asks when you first record.',
  devices: 'Microphones found: {count}.',
  withWebgl: 'Drawing and WebGL work.',
  withoutWebgl: 'Drawing works. WebGL isn’t available, and isn’t required.',
  updateServer: 'An update server responded with a valid signature.',
  // failed
  broke: 'Failed with {code}.',
  wrongResult: 'The result was wrong.',
  tooSlow: 'No result after {seconds} s.',
  noPage: 'The page didn’t respond.',
  notVisible: 'No window is visible.',
  sandboxOff: 'The sandbox is off.',
  exposed: 'The page can access {name}.',
  outdated: '{name} {version} is too old.',
  wrongDate: 'The date is wrong.',
  clockJumps: 'The system clock and the file times differ by {seconds} s.',
  openFolder: 'Other users can read this folder.',
  littleSpace: 'Only {free} GB free.',
  locked: 'The keychain is locked or didn’t respond.',
  proxyDown: 'Couldn’t connect to the proxy.',
  workersMissing: 'Couldn’t start: {names}.',
  glyphsMissing: 'Chinese characters can’t be displayed.',
  denied: 'Not allowed.',
  silent: 'The audio stopped immediately.',
  toneNotHeard: 'Lectern played a test tone but didn’t record it.',
  microphoneSilent: 'The microphone delivers only silence.',
  microphoneBusy: 'Couldn’t open the microphone. Another program may be using it.',
  taken: 'Couldn’t register the shortcut.',
  notRegistered: 'Another program opens these links.',
  updateFault: 'No update server gave a valid response ({code}).',
  // not available here
  needsWindow: 'Only in Lectern’s own window.',
  needsPage: 'Only when started from Settings > About.',
  notOffered: 'Not supported on this system.',
  asksEachTime: 'The browser asks each time you record.',
  noKeychain: 'No keychain found. API keys are kept until Lectern closes.',
  noMicrophone: 'No microphone is connected.',
  notInstalled: 'Only in the installed app.',
  noUpdates: 'Updates aren’t set up in this build.',
  updatesOff: 'Automatic update checks are off.',
  updatesBusy: 'Skipped because a recording or another update check is in progress.',
} as const

/** Id of a note. */
export type NoteId = keyof typeof noteWords

/** What to do about what was found, where that tells more than the check does. */
export const noteActions = {
  tooSlow: 'Close other programs, and check again.',
  noPage: checkWords.page.action,
  toneNotHeard: 'Turn up the volume. Allow Lectern to record system audio in the privacy settings.',
  microphoneSilent: 'Unmute the microphone, or choose another one in the sound settings.',
  microphoneBusy: 'Close programs that use the microphone, and check again.',
} as const satisfies Partial<Record<NoteId, string>>
