import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeFileBy } from '../../../../src/main/platform/export-files/file-writer.ts'
import { createZip } from '../../../../src/main/platform/export-files/zip.ts'
import { unzipped } from '../../../fixtures/unzip.ts'

test('writes stored, deflated and streamed entries, the same bytes each time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-zip-'))
  const path = join(folder, 'a.zip')
  const big = Buffer.alloc(2.5 * 1024 * 1024, 'lectern')
  try {
    await writeFileBy(path, async (file) => {
      const zip = createZip(file)
      await zip.add('ü.png', big, 'stored')
      await zip.add('empty', new Uint8Array(0), 'deflated')
      const text = await zip.text('text')
      for (let i = 0; i < 1000; i++) await text.write(`line ${i}\n`)
      await text.end()
      await zip.finish()
    })
    const archive = await readFile(path)
    const [image, empty, text] = unzipped(archive)
    expect([image?.name, image?.bytes.equals(big)]).toEqual(['ü.png', true])
    expect(empty?.bytes.length).toBe(0)
    expect(text?.bytes.toString().endsWith('line 998\nline 999\n')).toBe(true)
    expect(archive.length).toBeGreaterThan(big.length)
    // Time and date of the first entry: midnight of January 1, 1980.
    expect(archive.readUInt32LE(10)).toBe(0x0021_0000)
  } finally {
    await rm(folder, { recursive: true })
  }
})
