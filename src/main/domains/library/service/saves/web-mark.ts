import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'

/** Timeout in milliseconds of the program that sets an attribute on macOS. */
const patienceMs = 2000

/**
 * Marks a file as downloaded from the network, as browsers do, so that the system and office programs open it with care:
 * on Windows with the stream `Zone.Identifier` (zone 3, the internet; without a URL, which may be private), on macOS
 * with the quarantine attribute, which Node itself cannot set. File systems without such marks (FAT, network drives) get
 * none; Linux has none.
 */
export async function markFromWeb(
  path: string,
  platform: string,
  run: (program: string, args: readonly string[]) => Promise<void> = runProgram,
): Promise<void> {
  try {
    if (platform === 'win32')
      await writeFile(`${path}:Zone.Identifier`, '[ZoneTransfer]\r\nZoneId=3\r\n')
    if (platform === 'darwin') {
      const seconds = Math.floor(Date.now() / 1000).toString(16)
      const value = `0081;${seconds};Lectern;`
      await run('/usr/bin/xattr', ['-w', 'com.apple.quarantine', value, path])
    }
  } catch {
    // The copy itself is complete.
  }
}

const runProgram = (program: string, args: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(program, [...args], { timeout: patienceMs }, (error) =>
      error ? reject(error) : resolve(),
    )
  })
