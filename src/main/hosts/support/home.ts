import { posix, win32 } from 'node:path'

/** Inputs that determine the path of the data folder. */
interface HomeQuestion {
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder. */
  readonly userHome: string
}

/**
 * Returns the data folder: `LECTERN_HOME`, else the system's location for application data. Both hosts use the same one, so
 * data created in the browser is available in the window.
 */
export function dataFolder({ platform, env, userHome }: HomeQuestion): string {
  const { join, resolve } = platform === 'win32' ? win32 : posix
  if (env['LECTERN_HOME']) return resolve(env['LECTERN_HOME'])
  if (platform === 'win32')
    return join(env['APPDATA'] ?? join(userHome, 'AppData', 'Roaming'), 'Lectern')
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support', 'Lectern')
  const config = env['XDG_CONFIG_HOME']
  return join(config?.startsWith('/') ? config : join(userHome, '.config'), 'Lectern')
}
