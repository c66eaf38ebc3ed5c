import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { syncFolder } from './disk.ts'
import { sessionFiles, type SessionHead } from './session-files.ts'

/** Writes a session's head whole: beside, flushed, renamed into place, and the name flushed too. */
export function writeHead(folder: string, head: SessionHead): void {
  const { head: path } = sessionFiles(folder)
  const beside = `${path}.tmp`
  try {
    const file = openSync(beside, 'w', 0o600)
    try {
      writeFileSync(file, `${JSON.stringify(head)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  syncFolder(folder)
}
