import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders =
  '{src/{main,shared,local-service,system,cli},test/{main,shared,local-service,system,security,torture,fixtures,windows}}/**/*.ts'

/**
 * Packs all sources that these tests load into one file, as JavaScript. Opening a file costs Wine several messages to its
 * server, and a test file loads hundreds in each of its threads. The file is deleted when this process ends. Format, read by
 * wine.mjs: the size in bytes of the list of paths and lengths (four bytes), that list, and the sources.
 */
export function packSources(root: string): string {
  const places: Record<string, readonly [start: number, end: number]> = {}
  const sources: Buffer[] = []
  let bytes = 0
  for (const name of globSync(folders, { cwd: root })) {
    const source = Buffer.from(stripTypeScriptTypes(readFileSync(join(root, name), 'utf8')))
    places[`/${name}`] = [bytes, (bytes += source.length)]
    sources.push(source)
  }
  const list = Buffer.from(JSON.stringify(places))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(list.length)
  const folder = mkdtempSync(join(tmpdir(), 'lectern-sources-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'sources')
  writeFileSync(file, Buffer.concat([length, list, ...sources]))
  return file
}
