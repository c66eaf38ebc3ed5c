import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removal } from '../../system/file-moves.ts'
import { writePrivateFile } from '../security/private-files.ts'

const shape = /^open-[0-9a-f]{16}\.html$/

/** Where the file for a launch address lies: its name tells which address it holds to those who know the address only. */
function launchFile(home: string, url: string): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(home, `open-${name}.html`)
}

/**
 * Writes a file only its owner can read that leads on to a launch address; returns its path. The browser is handed this
 * instead of the address: what a program is started with is shown to every user of the computer.
 */
export function writeLaunchFile(home: string, url: string): string {
  const file = launchFile(home, url)
  writePrivateFile(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${url}"><title>Lectern</title><p><a href="${url}">Open Lectern · 打开 Lectern</a></p></html>`,
  )
  return file
}

/** Removes the file of an address that was used. */
export function removeLaunchFile(home: string, url: string): void {
  rmSync(launchFile(home, url), removal)
}

/** Removes the files of all addresses: at the start what a kill left behind, at the end those nobody used. */
export function removeLaunchFiles(home: string): void {
  for (const name of readdirSync(home)) if (shape.test(name)) rmSync(join(home, name), removal)
}
