import { readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { largestCertificates } from '../../domains/settings/service/network/certificates.ts'
import type { ChosenCertificates } from '../../host.ts'

/**
 * Reads a certificate file that the user chose. Refuses paths on another computer (opening one would sign in there), paths in
 * the data folder (`home`), which contains files from pages, documents and the provider, and pipes and devices, which would
 * never end.
 */
export async function readCertificateFile(
  chosen: string,
  home: string,
  platform: string = process.platform,
): Promise<ChosenCertificates> {
  const { isAbsolute, relative, basename } = platform === 'win32' ? path.win32 : path.posix
  if (!isAbsolute(chosen) || /^[\\/]{2}/.test(chosen)) return { problem: 'caNetworkPath' }
  try {
    const [real, own] = await Promise.all([realpath(chosen), realpath(home)])
    if (real.startsWith('\\\\')) return { problem: 'caNetworkPath' }
    const way = relative(own, real)
    if (way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way))
      return { problem: 'caDataFolder' }
    const about = await stat(real)
    if (!about.isFile() || about.size > largestCertificates) return { problem: 'caSize' }
    return { name: basename(real), bytes: await readFile(real) }
  } catch {
    return { problem: 'caUnreadable' }
  }
}
