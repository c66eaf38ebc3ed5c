/** Variables in which a user passes secrets. */
const secrets: ReadonlySet<string> = new Set(['LECTERN_KEY', 'LECTERN_PDF_PASSWORD'])

/** Variables that the core, workers and programs need: file locations, language and time zone, access to the keychain. */
const needed: ReadonlySet<string> = new Set([
  'HOME',
  'USER',
  'LOGNAME',
  'PATH',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TZDIR',
  'TMPDIR',
  'TMP',
  'TEMP',
  // Fonts, libraries of portable packages, certificates of the computer.
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'LD_LIBRARY_PATH',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'DBUS_SESSION_BUS_ADDRESS',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'OS',
  'USERPROFILE',
  'USERNAME',
  'USERDOMAIN',
  'HOMEDRIVE',
  'HOMEPATH',
  'COMPUTERNAME',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'ALLUSERSPROFILE',
  'PUBLIC',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'COMMONPROGRAMFILES',
  'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
  '__CF_USER_TEXT_ENCODING',
])
/** Prefixes for locales, and for the folders and session of a Linux desktop. */
const neededPrefixes = ['LC_', 'XDG_']

type Environment = Readonly<Record<string, string | undefined>>

const pick = (env: Environment, isPicked: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      // Variable names are case-insensitive on Windows.
      (entry): entry is [string, string] =>
        entry[1] !== undefined && isPicked(entry[0].toUpperCase()),
    ),
  )

/** Returns the environment for Lectern's own process or thread: only listed variables, whatever secrets a shell contains. */
export const neededEnv = (env: Environment): Record<string, string> =>
  pick(env, (name) => needed.has(name) || neededPrefixes.some((prefix) => name.startsWith(prefix)))

export const coreEnv = (env: Environment, home: string): Record<string, string> => ({
  ...neededEnv(env),
  LECTERN_HOME: home,
})

/** Returns the environment for a third-party program, such as the browser. */
export const withoutSecrets = (env: Environment): Record<string, string> =>
  pick(env, (name) => !secrets.has(name))
