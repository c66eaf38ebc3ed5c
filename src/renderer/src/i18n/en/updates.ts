/** New versions of Lectern. */
export const updates = {
  updates: {
    title: 'Updates',
    notice: 'Lectern update',
    available: 'Lectern {version} is available',
    downloading: 'Downloading Lectern {version}…',
    progress: '{done} of {total}, {pace}/s',
    ready: 'Lectern {version} is ready to install',
    installing: 'Restarting Lectern…',
    checking: 'Checking for updates…',
    idle: 'Lectern is up to date',
    never: 'Not checked yet',
    off: 'Automatic updates are off',
    checkedAt: 'Last checked: {time}',
    check: 'Check now',
    downloadSize: 'Download ({size})',
    pause: 'Pause',
    restart: 'Restart to update',
    later: 'Later',
    notes: 'Release notes',
    notesTitle: 'Lectern {version} release notes',
    released: 'Released {date}',
    noNotes: 'This release has no notes.',
    page: 'Download page',
    close: 'Close',
    recording: 'Updates wait until the recording ends.',
    backup: 'Your library is backed up before the update.',
    automatic: 'Check for updates automatically',
    automaticHint: 'Once a day. Lectern sends no information about you or this computer.',
    onQuit: 'Install when Lectern quits',
    manual: {
      'system-package': 'Install new versions the way you installed this one.',
      unsigned:
        'This build isn’t signed, so macOS can’t update it. Download new versions yourself.',
      'read-only-folder':
        'Lectern can’t write to its program folder. Download new versions yourself.',
    },
    none: {
      'no-feed': 'This build has no update server.',
      development: 'Lectern is running from source code and doesn’t update automatically.',
      browser: 'Updates aren’t available in a browser tab.',
    },
    failed: {
      check: 'Couldn’t check for updates',
      download: 'Couldn’t download the update',
      install: 'Couldn’t install the update',
      'roll-back': 'Couldn’t roll back',
    },
    fault: {
      offline: 'No update server responded. Check your connection, then retry.',
      'not-a-feed':
        'The response didn’t come from the update server. If your network has a sign-in page, sign in, then retry.',
      'bad-signature':
        'The update isn’t signed by the Lectern developers, so it wasn’t installed. Try again later.',
      malformed: 'The update server sent data that Lectern can’t read. Try again later.',
      expired: 'The update server’s information has expired. Try again later.',
      replayed: 'The update server sent outdated information. Try again later.',
      'no-package': 'This release has no package for your system.',
      stalled: 'The download was interrupted. Retry to resume it.',
      'wrong-size':
        'The downloaded file doesn’t match the release and was deleted. Try again later.',
      'wrong-hash':
        'The downloaded file doesn’t match the release and was deleted. Try again later.',
      'disk-full': 'The disk is full. Free up some space, then retry.',
      recording: 'A recording is in progress, so nothing was installed. End it, then retry.',
      'backup-failed':
        'Your library couldn’t be backed up, so nothing was installed. Free up disk space, then retry.',
      'no-backup':
        'The backup made before the update is missing or damaged, so nothing was changed. To go back anyway, download the earlier version.',
      'not-writable':
        'Lectern can’t write to its program folder. Move the app to a folder you own, then retry.',
      'install-failed':
        'The installer didn’t finish. This version keeps working. Nothing was lost.',
      'nothing-to-roll-back':
        'The earlier version is no longer on this computer. Download it, then install it.',
    },
    rollBack: {
      label: 'Earlier version',
      text: 'Lectern was updated from {version} on {date}.',
      button: 'Roll back to {version}…',
      title: 'Roll back to {version}?',
      ask: 'Lectern restarts with version {version}. If that version can’t read your library, Lectern backs it up and restores the backup made before the update.',
      yes: 'Roll back',
      notKept: 'To go back to {version}, download it and install it over this version.',
      offer:
        'This version can open your library only as read-only. You can roll back to {version}.',
    },
  },
}
