import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../../../src/main/hosts/electron')
const files = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}))

test('uses Electron channels in the transport only', () => {
  const using = files.filter(({ text }) => /ipcMain|\.ipc\.|\.send\(/.test(text))
  expect(using.map(({ name }) => name)).toEqual(['transport.ts'])
})
