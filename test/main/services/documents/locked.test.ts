import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentExportWorker } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const
const password = 'Öffne-dich 42'

/** Every file below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

test('a locked document is made, says so, and opens with its password alone', async () => {
  const desk = await documentExportWorker()
  const mediaId = await desk.paper({ last: 40, password })
  const { document } = await desk.documents.create({ mediaId })
  expect(document).toMatchObject({ unlocked: false, facts: { locked: 'user', pages: 0 } })
  const { id } = document
  expect(() => desk.documents.parse({ id, options: all })).toThrowError(
    expect.objectContaining({ code: 'REFUSED', params: { password: 'missing' } }),
  )
  await expect(desk.documents.unlock(id, 'wrong')).rejects.toThrowError(
    expect.objectContaining({ code: 'REFUSED' }),
  )
  expect(desk.documents.get(id).unlocked).toBe(false)
  expect(await desk.documents.unlock(id, password)).toMatchObject({
    unlocked: true,
    facts: { locked: 'user', pages: 40 },
  })
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 40')
})

test('after a new start it waits for the password, says so, and goes on with it', async () => {
  const desk = await documentExportWorker()
  const mediaId = await desk.paper({ last: 60, password })
  const { document } = await desk.documents.create({ mediaId, password })
  expect(document.unlocked).toBe(true)
  desk.down = true
  const version = desk.documents.parse({ id: document.id, options: all })
  const other = await desk.document(3)
  await desk.quiet()
  desk.down = false
  await desk.restart()
  const second = desk.documents.parse({ id: other, options: all })
  await desk.finish(second.id)
  // What is locked holds nobody up.
  expect(desk.states(second.id)).toBe('returned 3')
  expect(desk.states(version.id)).toBe('waiting 60')
  expect(desk.documents.queue()[0]).toMatchObject({
    id: version.id,
    error: { code: 'REFUSED', params: { password: 'missing' } },
  })
  await desk.documents.unlock(document.id, password)
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 60')
})

test('the password is nowhere: not in the library, not in the log, not in what pages are told', async () => {
  const desk = await documentExportWorker()
  // The document itself knows its password here, so only what is written beside it is looked at.
  const mediaId = await desk.paper({ last: 30, password })
  const { document } = await desk.documents.create({ mediaId, password })
  const version = desk.documents.parse({ id: document.id, options: all })
  await desk.finish(version.id)
  const texts = [
    ...desk.log.lines,
    JSON.stringify(desk.news),
    JSON.stringify(desk.pageNews),
    JSON.stringify(desk.documents.get(document.id)),
    ...filesIn(desk.home)
      .filter((path) => !path.includes(mediaId))
      .map((path) => readFileSync(path).toString('utf8')),
  ]
  expect(texts.some((text) => text.includes('returned') || text.includes('Title of page 3'))).toBe(
    true,
  )
  expect(texts.filter((text) => text.includes(password))).toEqual([])
})

test('a password outlasts the bin, and goes with its document', async () => {
  const desk = await documentExportWorker()
  const mediaId = await desk.paper({ last: 4, password })
  const { document } = await desk.documents.create({ mediaId, password })
  const { id } = document
  await desk.documents.forget([id])
  desk.store.items.remove([id], desk.now)
  desk.store.items.restore([id], desk.now)
  desk.documents.restored([id])
  expect(desk.documents.get(id).unlocked).toBe(true)
  desk.store.items.remove([id], desk.now)
  await desk.documents.forget([id])
  expect(desk.documents.get(id).unlocked).toBe(false)
})
