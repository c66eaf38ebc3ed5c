import { createCanvas, type Canvas } from '@napi-rs/canvas'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../fixtures/app.ts'
import { heicImages } from '../worker/pdf/heic.ts'
import { faxRows, tiffOf } from '../worker/pdf/tiff.ts'
import { faxFixtures } from '../worker/pdf/tiff-fixtures.ts'

test('imports images of every format as documents; dropping one again returns the same', async () => {
  const app = await testApp()
  onTestFinished(async () => {
    await app.stop()
    await app.remove()
  })
  /** Each has a different color: images that convert to the same PNG are the same document. */
  const filled = (colour: string): Canvas => {
    const canvas = createCanvas(60, 40)
    const context = canvas.getContext('2d')
    context.fillStyle = colour
    context.fillRect(0, 0, 60, 40)
    return canvas
  }
  const page = {
    width: 64,
    height: 32,
    bits: 1,
    samples: 1,
    photometric: 0,
    data: faxRows(64, 32, 1),
  }
  const bitmap = Buffer.alloc(54 + 4 * 4)
  bitmap.write('BM')
  bitmap.writeUInt32LE(bitmap.length, 2)
  bitmap.writeUInt32LE(54, 10)
  bitmap.writeUInt32LE(40, 14)
  bitmap.writeInt32LE(2, 18)
  bitmap.writeInt32LE(2, 22)
  bitmap.writeUInt16LE(1, 26)
  bitmap.writeUInt16LE(32, 28)
  const size = { width: 60, height: 40 }
  const images = [
    ['Photo.HEIC', heicImages.turned, 'image/jpeg', [{ width: 64, height: 96 }]],
    ['Scan.tiff', tiffOf([page, page, page]), 'application/pdf', null],
    ['Fax.tif', faxFixtures['group 4'], 'application/pdf', null],
    ['Shot.webp', await filled('#f00').encode('webp'), 'image/png', [size]],
    ['Shot.avif', await filled('#00f').encode('avif'), 'image/png', [size]],
    ['Shot.gif', await filled('#0f0').encode('gif'), 'image/png', [size]],
    ['Shot.bmp', bitmap, 'image/png', [{ width: 2, height: 2 }]],
  ] as const
  for (const [name, bytes, mime, sizes] of images) {
    const saved = await app.intake(name, bytes)
    if (!saved.ok) throw new Error(saved.error.message)
    const { document } = await app.call('documents.create', { mediaId: saved.data.media.id })
    const pages = name.startsWith('Scan') ? 3 : 1
    expect(document, name).toMatchObject({ name, facts: { mime, pages, locked: 'no' } })
    if (sizes) expect(document.facts?.sizes, name).toEqual(sizes)
    const again = await app.intake(name, bytes)
    if (!again.ok) throw new Error(again.error.message)
    const second = await app.call('documents.create', { mediaId: again.data.media.id })
    expect([second.known, second.document.id]).toEqual([true, document.id])
  }
  const broken = await app.intake('Lab.tif', tiffOf([{ ...page, photometric: 8 }]))
  if (!broken.ok) throw new Error(broken.error.message)
  expect(await app.raw('documents.create', { mediaId: broken.data.media.id })).toMatchObject({
    ok: false,
    error: { code: 'UNSUPPORTED_FORMAT', params: { kind: 'TIFF (photometric 8)' } },
  })
})
