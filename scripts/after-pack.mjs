import { join } from 'node:path'
import {
  flipFuses,
  FuseState,
  FuseV1Options,
  FuseVersion,
  getCurrentFuseWire,
} from '@electron/fuses'
import { fuses } from '../src/main/platform/security/fuses.ts'

/** electron-builder's value for arm64. */
const arm64 = 3

/**
 * Returns the path of the packed Electron program.
 * @param {{ appOutDir: string, electronPlatformName: string, packager: { appInfo: { productFilename: string }, executableName?: string } }} context
 */
export function programOf({ appOutDir, electronPlatformName, packager }) {
  const { productFilename } = packager.appInfo
  if (electronPlatformName === 'darwin') return join(appOutDir, `${productFilename}.app`)
  if (electronPlatformName === 'win32') return join(appOutDir, `${productFilename}.exe`)
  return join(appOutDir, packager.executableName ?? productFilename)
}

/**
 * Sets every fuse of the packed Electron as the policy specifies, reads them back, and fails if one is missing from the policy: a
 * new Electron with a new fuse is not packed until someone decides about it.
 * @param {Parameters<typeof programOf>[0] & { arch: number }} context
 */
export async function afterPack(context) {
  const program = programOf(context)
  const wanted = Object.entries(fuses).map(([name, on]) => ({
    name,
    option: FuseV1Options[/** @type {keyof typeof FuseV1Options} */ (name)],
    on,
  }))
  await flipFuses(program, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // Changing the program invalidates the signature that every arm64 program on macOS needs, even in an unsigned app.
    resetAdHocDarwinSignature: context.electronPlatformName === 'darwin' && context.arch === arm64,
    .../** @type {Record<FuseV1Options, boolean>} */ (
      Object.fromEntries(wanted.map(({ option, on }) => [option, on]))
    ),
  })
  const wire = await getCurrentFuseWire(program)
  const wrong = wanted.filter(
    ({ option, on }) => wire[option] !== (on ? FuseState.ENABLE : FuseState.DISABLE),
  )
  if (wrong.length > 0)
    throw new Error(`Fuses were not set: ${wrong.map(({ name }) => name).join(', ')}`)
}
