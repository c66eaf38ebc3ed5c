import { createHash } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removal } from '../../../system/file-moves.ts'
import { writePrivateFile } from '../../platform/security/private-files.ts'

const shape = /^open-[0-9a-f]{16}\.html$/

/**
 * Returns the path of the file of a launch URL: only a program that knows the URL can tell which file contains it.
 */
function launchFile(home: string, url: string): string {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(home, `open-${name}.html`)
}

/**
 * Writes a file, readable by its owner only, that redirects to a launch URL; returns its path. The browser gets this file
 * instead of the URL, because the arguments of a program are visible to every user of the computer.
 */
export function writeLaunchFile(home: string, url: string): string {
  const file = launchFile(home, url)
  writePrivateFile(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="0;url=${url}"><title>Lectern</title><p><a href="${url}">Open Lectern · 打开 Lectern</a></p></html>`,
  )
  return file
}

/** Removes the file of a used URL. */
export function removeLaunchFile(home: string, url: string): void {
  rmSync(launchFile(home, url), removal)
}

/** Removes the files of all URLs: at the start those left by a killed process, at the end unused ones. */
export function removeLaunchFiles(home: string): void {
  for (const name of readdirSync(home)) if (shape.test(name)) rmSync(join(home, name), removal)
}
