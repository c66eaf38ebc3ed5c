/**
 * Tests that cannot be run everywhere: a whole file, or some of its tests by their full names (`group > test`).
 *
 * @typedef {object} NotRunnable
 * @property {readonly string[]} [on] where they cannot be run: Node platforms, and `wine` for Node for Windows on Linux; Wine
 * by default
 * @property {string} file
 * @property {readonly string[]} [tests] the whole file by default
 * @property {string} because
 */

/**
 * Each with its reason. A listed test that does not exist, or a skipped test not listed here, fails the run.
 * @type {readonly NotRunnable[]}
 */
export const notRunnable = [
  ...['bundles', 'configuration', 'files', 'start', 'v8-wasm-workaround'].map((name) => ({
    file: `test/main/packaging/${name}.test.ts`,
    because:
      'inspects the app packed on Linux, or bundles it with vite, which has no Windows binary here',
  })),
  {
    file: 'test/main/hosts/loopback/process.test.ts',
    because: 'bundles the host with vite, and opens it with desktop programs',
  },
  {
    file: 'test/main/platform/secrets/keyring.test.ts',
    on: ['wine', 'win32', 'darwin'],
    tests: [
      'a real gnome-keyring > stores a key between two runs, returns it and deletes it',
      'a real gnome-keyring > is encrypted: the key is in no file',
      'a real gnome-keyring > that is locked: reports it, keeps a new key for the session, never reports it missing',
      'without D-Bus: keeps the key for this session and reports the reason',
      'a lost bus does not prove that the key is deleted: clearing fails, and the key remains',
    ],
    because: 'needs the Linux keychain and its session bus',
  },
  {
    file: 'test/main/hosts/core/page-port.test.ts',
    tests: ['port of a page > reports a pipe without a writer'],
    because: 'Windows folders cannot contain pipes',
  },
  {
    file: 'test/main/platform/database/disk.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'opens a read-only folder for viewing and searching, and reports it',
      'opens an empty library for a read-only folder without data',
    ],
    because:
      'Windows has no folder modes, and Wine uses those of Linux, which do not restrict root; test/main/platform/database/open-file.test.ts covers the Windows errors',
  },
  {
    file: 'test/main/domains/documents/worker/pdf/tiff.test.ts',
    tests: ['reports damaged TIFFs or reads all their pages, without delay'],
    because:
      're-creates a file whose deleted predecessor is still open; Wine 8 lacks the POSIX deletion of Windows 10',
  },
  {
    file: 'test/main/domains/audio/service/recording/recover.test.ts',
    tests: [
      'a running process with a heartbeat keeps its recording; one with a reused ID does not',
    ],
    because:
      'uses its parent as another running process, which Wine does not know: Linux started it',
  },
  {
    file: 'test/main/updates/cycle.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'complete update cycle > finds, downloads, backs up, installs and starts an update',
      'installation > reports a folder that cannot be written',
    ],
    because: 'installs an AppImage, and uses file modes, which do not restrict root',
  },
  {
    file: 'test/main/updates/installers.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'macOS update > serves the update only to the system, and to no one else on this computer',
      'macOS update > starts Lectern again on a restart',
      'macOS update > does not install an update that the system rejects',
      'macOS update > does not pass an update changed on disk to the system',
    ],
    because:
      'only macOS prepares such an update; Node 22 does not load the Electron stub for its module',
  },
  {
    file: 'test/main/updates/download.test.ts',
    on: ['wine', 'win32', 'darwin'],
    tests: ['reports a full disk and deletes the partial file'],
    because: 'writes to /dev/full, which only Linux has',
  },
  {
    file: 'test/main/updates/built.test.ts',
    on: ['wine', 'win32'],
    tests: ['replaces an AppImage with the built installer'],
    because: 'AppImages exist only on Linux',
  },
  {
    file: 'test/main/hosts/support/update-support.test.ts',
    on: ['wine', 'win32'],
    tests: ['starts a program after the previous process ended, without its AppImage environment'],
    because: 'AppImages exist only on Linux',
  },
  {
    file: 'test/main/hosts/support/system.test.ts',
    on: ['wine', 'win32'],
    tests: ['writes the autostart file where the desktop expects it, ignoring a relative setting'],
    because: 'only Linux desktops have such files and paths',
  },
  {
    file: 'test/main/domains/library/service/saves/saves.test.ts',
    on: ['wine', 'win32'],
    tests: ['marks copies of provider files on Windows, but not of the user’s own files'],
    because:
      'reads the mark as a separate file, as on systems without alternate data streams, which Wine lacks too',
  },
  {
    file: 'test/main/domains/library/service/saves/write-copy.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'copies > have the permissions of the user’s own files, whatever the process umask is',
      'copies > keep the permissions of a replaced file; hard links to it keep the old content',
      'copies > are written to the target of a link, and the link stays',
      'failure reasons > reports a folder that is not writable',
    ],
    because: 'Windows has no file modes, and links need a privilege',
  },
  {
    on: ['wine', 'win32'],
    file: 'test/main/self-test/scratch.test.ts',
    tests: ['keeps a link with its target, and a folder that others can enter'],
    because: 'Windows has no file modes, and links need a privilege',
  },
  {
    file: 'test/main/self-test/system.test.ts',
    tests: ['components: passes with the Node and SQLite that run these tests'],
    because: 'Lectern needs Node 24, which Wine 8 cannot start; these tests run in Node 22',
  },
  {
    file: 'test/main/self-test/whole.test.ts',
    tests: ['passes every core check, leaves library and keychain untouched, and cleans up'],
    because: 'one of the checks needs Node 24, which Wine 8 cannot start',
  },
  {
    file: 'test/local-service/models.test.mjs',
    tests: ['rejects a file other than the pinned one and installs nothing'],
    because: 'runs npm, which is missing under Wine',
  },
  {
    file: 'test/main/hosts/electron/system.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'start at login > on Linux is a desktop file, for an AppImage with the file that was opened',
    ],
    because: 'only Linux desktops have such files and paths',
  },
  {
    file: 'test/security/command-line.test.ts',
    on: ['win32'],
    tests: [
      'an unlocked copy of a PDF is private, and deleted when its terminal closes',
      'an unlocked copy of a PDF is private, and deleted after two requests to stop',
    ],
    because: 'Windows has no signals that a program can handle, and no file modes',
  },
  {
    file: 'test/security/command-line.test.ts',
    on: ['win32', 'darwin'],
    tests: [
      'leaves nothing to read when a command is killed while sending an unlocked copy',
      'hides the key, the password and other programs’ secrets from file-reading programs',
    ],
    because: 'only Linux lists open files and environments of processes in /proc',
  },
  ...['command-line', 'erasing', 'pdf-bomb'].map((name) => ({
    file: `test/security/${name}.test.ts`,
    because: 'runs, measures or kills programs of Node 24, which Wine 8 cannot start',
  })),
]

/** Returns the place where this process runs tests. */
export const testPlace = () => (process.env['LECTERN_OUTSIDE'] ? 'wine' : process.platform)

/** Returns the tests that cannot be run at a place. @param {string} place */
export const notRunnableOn = (place) =>
  notRunnable.filter(({ on = ['wine'] }) => on.includes(place))

/** Returns those of them that are whole files. @param {string} place */
export const filesNotRunnableOn = (place) =>
  notRunnableOn(place).flatMap(({ file, tests }) => (tests ? [] : [file]))
