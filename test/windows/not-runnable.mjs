/**
 * What cannot be run everywhere: a whole file, or tests of it by their full names (`group > test`).
 *
 * @typedef {object} NotRunnable
 * @property {readonly string[]} [on] where it cannot: platforms of Node, and `wine` for Node for Windows on Linux; without any, under Wine
 * @property {string} file
 * @property {readonly string[]} [tests] without any, the whole file
 * @property {string} because
 */

/** Each with its reason; a name that no test has, or a test that is skipped and not named here, fails the run. @type {readonly NotRunnable[]} */
export const notRunnable = [
  ...['bundles', 'configuration', 'files', 'start', 'steady-threads'].map((name) => ({
    file: `test/main/packaging/${name}.test.ts`,
    because:
      'looks at the built app as it is packed on Linux, or bundles it with vite, which has no part for Windows here',
  })),
  {
    file: 'test/main/loopback/process.test.ts',
    because: 'bundles the host with vite, and opens it with programs of a desktop',
  },
  {
    file: 'test/main/secrets/keyring.test.ts',
    on: ['wine', 'win32', 'darwin'],
    tests: [
      'a real gnome-keyring > keeps a key between two runs, gives it back and forgets it',
      'a real gnome-keyring > lies encrypted: the key is in no file',
      'a real gnome-keyring > that is locked: says so, keeps a new key for the session, never claims there is none',
      'no D-Bus at all: the key lives for this session, and the reason is said',
      'a bus that is gone is no proof that the key is: clearing fails, and the key is still there',
    ],
    because: 'the keychain of Linux and its session bus',
  },
  {
    file: 'test/main/core/page-port.test.ts',
    tests: ['a page’s port > says so when the file is a pipe that nobody writes'],
    because: 'folders of Windows hold no pipes',
  },
  {
    file: 'test/main/store/disk.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'a folder that cannot be written can be looked at and searched, and says so',
      'a folder that cannot be written and holds nothing opens empty',
    ],
    because:
      'Windows has no modes for folders, and Wine asks those of Linux, which stop no root; test/main/store/open-file.test.ts asks what Windows answers then',
  },
  {
    file: 'test/main/documents/pdf/tiff.test.ts',
    tests: ['damaged TIFFs are told or have all their pages, and never hold anybody up'],
    because:
      'makes a file again under a name whose removed file is still open, for which Wine 8 lacks the POSIX removal of Windows 10',
  },
  {
    file: 'test/main/services/meetings/recording/recover.test.ts',
    tests: [
      'a living process that shows a sign keeps its recording; one that only has the number does not',
    ],
    because:
      'takes its parent for another living program, which Wine does not know: Linux started it',
  },
  {
    file: 'test/main/updates/cycle.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'the whole cycle > found, downloaded, backed up, installed, started',
      'putting it in place > a folder that cannot be written is said',
    ],
    because: 'puts an AppImage in place, and asks modes, which stop no root',
  },
  {
    file: 'test/main/updates/installers.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'an update of macOS > is handed to the system, and to nobody else on this computer',
      'an update of macOS > starts Lectern again on a restart',
      'an update of macOS > that the system refuses is not installed',
      'an update of macOS > that was changed on the disk never reaches the system',
    ],
    because:
      'only macOS prepares such an update; Node 22 loads its module past the one that stands for Electron',
  },
  {
    file: 'test/main/updates/download.test.ts',
    on: ['wine', 'win32', 'darwin'],
    tests: ['a full disk is said, and the part gives its room back'],
    because: 'writes to /dev/full, which only Linux has',
  },
  {
    file: 'test/main/updates/built.test.ts',
    on: ['wine', 'win32'],
    tests: ['the built installer replaces an AppImage'],
    because: 'AppImages are of Linux',
  },
  {
    file: 'test/main/host-support/update-support.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'a program is started only after the process before it has ended, without the environment of its AppImage',
    ],
    because: 'AppImages are of Linux',
  },
  {
    file: 'test/main/host-support/system.test.ts',
    on: ['wine', 'win32'],
    tests: ['the autostart file lies where the desktop looks, whatever a relative setting says'],
    because: 'desktops of Linux have such files; its paths are those of Linux',
  },
  {
    file: 'test/main/services/saves/saves.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'a copy of what came from a provider is marked on Windows, one of the user’s own is not',
    ],
    because:
      'reads the mark as a file of its own, as systems without alternate data streams write it; Wine has none either',
  },
  {
    file: 'test/main/services/saves/write-copy.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'a copy > has the permissions of the user’s own files, whatever the process makes',
      'a copy > that replaces a file keeps its permissions, and other names of the old one keep the old content',
      'a copy > goes to where a link points, and the link stays',
      'what went wrong is told in words > a folder that cannot be written',
    ],
    because: 'Windows has no modes, and links need a right',
  },
  {
    on: ['wine', 'win32'],
    file: 'test/main/self-test/scratch.test.ts',
    tests: ['a link stays, and what it leads to; so does a folder that others may enter'],
    because: 'Windows has no modes, and links need a right',
  },
  {
    file: 'test/main/self-test/system.test.ts',
    tests: ['components: the Node and the SQLite that run these tests pass'],
    because: 'Lectern needs Node 24, which Wine 8 cannot start; these tests run in Node 22',
  },
  {
    file: 'test/main/self-test/whole.test.ts',
    tests: [
      'every check of the core passes, nothing of the library or the keychain is touched, nothing is left',
    ],
    because: 'one of the checks asks for Node 24, which Wine 8 cannot start',
  },
  {
    file: 'test/local-service/models.test.mjs',
    tests: ['a file that is not the pinned one is refused, and nothing is put in place'],
    because: 'asks npm, which is not there under Wine',
  },
  {
    file: 'test/main/electron/system.test.ts',
    on: ['wine', 'win32'],
    tests: [
      'starting with the system > on Linux is a file of the desktop, and for an AppImage the file that was opened',
    ],
    because: 'desktops of Linux have such files; its paths are those of Linux',
  },
  {
    file: 'test/security/command-line.test.ts',
    on: ['win32'],
    tests: [
      'no unlocked copy of a PDF stays after the end of its terminal, and nobody else reads it before',
      'no unlocked copy of a PDF stays after two requests to stop, and nobody else reads it before',
    ],
    because: 'Windows has no signals that a program can answer, and no modes',
  },
  {
    file: 'test/security/command-line.test.ts',
    on: ['win32', 'darwin'],
    tests: [
      'a command that is killed while it sends an unlocked copy leaves nothing to read',
      'programs that read files for the command do not see the key, the password or secrets of other programs',
    ],
    because: 'only Linux names open files and environments of processes in /proc',
  },
  ...['command-line', 'erasing', 'pdf-bomb'].map((name) => ({
    file: `test/security/${name}.test.ts`,
    because: 'runs, measures or kills programs of Node 24, which Wine 8 cannot start',
  })),
]

/** Where this process runs tests. */
export const testPlace = () => (process.env['LECTERN_OUTSIDE'] ? 'wine' : process.platform)

/** What cannot be run at a place. @param {string} place */
export const notRunnableOn = (place) =>
  notRunnable.filter(({ on = ['wine'] }) => on.includes(place))

/** Those of them that are whole files. @param {string} place */
export const filesNotRunnableOn = (place) =>
  notRunnableOn(place).flatMap(({ file, tests }) => (tests ? [] : [file]))
