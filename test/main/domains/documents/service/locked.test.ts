import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documentSetup } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const
const password = 'Öffne-dich 42'

/** All files below a folder. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

test('imports a locked document, reports that, and opens it only with its password', async () => {
  const setup = await documentSetup()
  const mediaId = await setup.paper({ last: 40, password })
  const { document } = await setup.documents.create({ mediaId })
  expect(document).toMatchObject({ unlocked: false, facts: { locked: 'user', pages: 0 } })
  const { id } = document
  expect(() => setup.documents.parse({ id, options: all })).toThrowError(
    expect.objectContaining({ code: 'REFUSED', params: { password: 'missing' } }),
  )
  await expect(setup.documents.unlock(id, 'wrong')).rejects.toThrowError(
    expect.objectContaining({ code: 'REFUSED' }),
  )
  expect(setup.documents.get(id).unlocked).toBe(false)
  expect(await setup.documents.unlock(id, password)).toMatchObject({
    unlocked: true,
    facts: { locked: 'user', pages: 40 },
  })
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 40')
})

test('waits for the password after a restart, reports that, and continues with it', async () => {
  const setup = await documentSetup()
  const mediaId = await setup.paper({ last: 60, password })
  const { document } = await setup.documents.create({ mediaId, password })
  expect(document.unlocked).toBe(true)
  setup.down = true
  const version = setup.documents.parse({ id: document.id, options: all })
  const other = await setup.document(3)
  await setup.quiet()
  setup.down = false
  await setup.restart()
  const second = setup.documents.parse({ id: other, options: all })
  await setup.finish(second.id)
  // A locked document does not block others.
  expect(setup.states(second.id)).toBe('returned 3')
  expect(setup.states(version.id)).toBe('waiting 60')
  expect(setup.documents.queue()[0]).toMatchObject({
    id: version.id,
    error: { code: 'REFUSED', params: { password: 'missing' } },
  })
  await setup.documents.unlock(document.id, password)
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 60')
})

test('the password is nowhere: not in the library, the log, or messages to pages', async () => {
  const setup = await documentSetup()
  // Here the document itself contains its password, so only the data written for it is searched.
  const mediaId = await setup.paper({ last: 30, password })
  const { document } = await setup.documents.create({ mediaId, password })
  const version = setup.documents.parse({ id: document.id, options: all })
  await setup.finish(version.id)
  const texts = [
    ...setup.log.lines,
    JSON.stringify(setup.news),
    JSON.stringify(setup.pageNews),
    JSON.stringify(setup.documents.get(document.id)),
    ...filesIn(setup.home)
      .filter((path) => !path.includes(mediaId))
      .map((path) => readFileSync(path).toString('utf8')),
  ]
  expect(texts.some((text) => text.includes('returned') || text.includes('Title of page 3'))).toBe(
    true,
  )
  expect(texts.filter((text) => text.includes(password))).toEqual([])
})

test('a password survives Trash and is deleted with its document', async () => {
  const setup = await documentSetup()
  const mediaId = await setup.paper({ last: 4, password })
  const { document } = await setup.documents.create({ mediaId, password })
  const { id } = document
  await setup.documents.forget([id])
  setup.store.items.remove([id], setup.now)
  setup.store.items.restore([id], setup.now)
  setup.documents.restored([id])
  expect(setup.documents.get(id).unlocked).toBe(true)
  setup.store.items.remove([id], setup.now)
  await setup.documents.forget([id])
  expect(setup.documents.get(id).unlocked).toBe(false)
})
