import { appendFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { moveFileSync, removal } from '../../../system/file-moves.ts'
import { privateFolder } from '../../platform/security/private-files.ts'

/** Bytes after which a log file is rotated, and the number of old ones that are retained. */
export const logBounds = { bytes: 2 * 1024 * 1024, old: 2 } as const

/**
 * Opens `logs/<name>.log` below the data folder: mode 0600, bounded, older ones as `.1` and `.2`. A disk that is full or
 * read-only loses log lines and nothing else. Each process writes its own file.
 */
export function openLogFile(home: string, name = 'lectern'): (line: string) => void {
  const folder = join(home, 'logs')
  const file = join(folder, `${name}.log`)
  let bytes = 0
  const rotate = (): void => {
    rmSync(`${file}.${logBounds.old}`, removal)
    for (let age = logBounds.old - 1; age >= 0; age--) {
      const from = age === 0 ? file : `${file}.${age}`
      if (statSync(from, { throwIfNoEntry: false })) moveFileSync(from, `${file}.${age + 1}`)
    }
    bytes = 0
  }
  try {
    privateFolder(folder)
    bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return () => {}
  }
  return (line) => {
    try {
      // A clean-up may have removed the folder.
      if (!existsSync(folder)) {
        privateFolder(folder)
        bytes = 0
      }
      if (bytes > logBounds.bytes) rotate()
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
      bytes += Buffer.byteLength(line) + 1
    } catch {
      // The log itself is where errors are reported.
    }
  }
}
