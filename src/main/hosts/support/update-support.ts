import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { UpdateSupport } from '../../../shared/model/updates.ts'

/** Facts about how a host was installed. */
export interface InstallationFacts {
  readonly platform: string
  /** Whether it runs from a package instead of its sources. */
  readonly isPackaged: boolean
  /** Path of the running AppImage; null for other Linux packages. */
  readonly appImage: string | null
  /** Whether the folder of the AppImage is writable. */
  readonly isFolderWritable: boolean
  /** On macOS: whether a team signed it (`codesign -dv`); the system updates no other app. */
  readonly isSigned: boolean
}

/** Returns whether an installation can update itself: NSIS installers, AppImages and signed macOS apps can. */
export function updateSupport(facts: InstallationFacts): UpdateSupport {
  if (!facts.isPackaged) return { mode: 'none', why: 'development' }
  if (facts.platform === 'win32') return { mode: 'restart' }
  if (facts.platform === 'darwin')
    return facts.isSigned ? { mode: 'restart' } : { mode: 'manual', why: 'unsigned' }
  if (facts.appImage === null) return { mode: 'manual', why: 'system-package' }
  return facts.isFolderWritable ? { mode: 'restart' } : { mode: 'manual', why: 'read-only-folder' }
}

/** Detects the facts of an installation; `program` is the packaged executable, null when running from sources. */
export async function installationFacts(
  platform: string,
  program: string | null,
  appImage: string | null,
): Promise<InstallationFacts> {
  return {
    platform,
    isPackaged: program !== null,
    appImage,
    isFolderWritable: appImage !== null && (await isWritable(dirname(appImage))),
    isSigned: platform === 'darwin' && program !== null && (await isSigned(program)),
  }
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )

function isSigned(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('/usr/bin/codesign', ['-dv', program], (error, stdout, stderr) =>
      resolve(!error && isTeamSigned(stdout + stderr)),
    )
  })
}

/** Parses the output of `codesign -dv` for an app: ad-hoc signatures have no team. */
export const isTeamSigned = (output: string): boolean =>
  /^TeamIdentifier=(?!not set)\S+$/m.test(output)

/**
 * Returns the command that starts a program once a process has ended: the ending instance locks the library until then, and
 * Electron's own relauncher runs from the mounted AppImage, which no longer exists by that time. The environment is the one
 * from before the AppImage.
 */
export function startAfter(
  pid: number,
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly command: string; readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv } {
  const script = 'while kill -0 "$1" 2>/dev/null; do sleep 0.1; done; exec "$2"'
  const ofAppImage = ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD', 'LD_LIBRARY_PATH']
  const rest = Object.entries(env).filter(([name]) => !ofAppImage.includes(name))
  return {
    command: '/bin/sh',
    args: ['-c', script, 'lectern', String(pid), program],
    env: Object.fromEntries(rest),
  }
}
