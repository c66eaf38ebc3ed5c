import { createHash } from 'node:crypto'
import { createCanvas } from '@napi-rs/canvas'
import { expect, onTestFinished, test } from 'vitest'
import { plainWords } from '../../../../../src/shared/documents/plain-text.ts'
import type { ChatSettings } from '../../../../../src/shared/model/chat.ts'
import { createChatExports } from '../../../../../src/main/domains/chats/exports/exports.ts'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../../app/chat-setup.ts'
import { temporaryHome } from '../../../platform/database/fixture.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'
import { documentSetup } from '../../documents/service/document-setup.ts'
import { messageOf, written } from '../exports/made.ts'
import { chatSetup } from './chat-setup.ts'

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** A library with the user's image, file and document, and an imported chat that refers to all three. */
async function stranger(settings: ChatSettings) {
  const documents = await documentSetup()
  const itemId = await documents.document(3)
  const options = { pages: '', crops: false, layoutPictures: false }
  await documents.finish(documents.documents.parse({ id: itemId, options }).id)
  const setup = await chatSetup({ over: documents })
  const image = createCanvas(7, 4).toBuffer('image/png')
  const file = Buffer.from('%PDF-1.4 private words')
  await setup.keep('mine.png', image)
  await setup.keep('mine.pdf', file)
  const json = JSON.parse(
    await written(
      'json',
      [
        messageOf({ id: 'q', text: 'Look at these' }),
        messageOf({ id: 'a', parentId: 'q', role: 'assistant', text: 'I did.', settings }),
      ],
      { head: { leafId: 'a', settings } },
    ),
  ) as { messages: { attachments: unknown[] }[] }
  json.messages[0]?.attachments.push(
    { kind: 'document', itemId, title: 'A re\u202ecipe', pages: '', sha256: null },
    { kind: 'image', name: 'cat.png', sha256: sha256(image) },
    { kind: 'file', name: 'x.pdf', fileId: 'file-of-this-person', sha256: sha256(file) },
  )
  const mediaId = await setup.keep('talk.json', Buffer.from(JSON.stringify(json)))
  const { home, remove } = temporaryHome()
  let made = 0
  const exports = createChatExports({
    home,
    version: '1',
    workerUrl,
    store: setup.store,
    files: setup.files,
    clock: Date.now,
    ids: () => `taken-${String((made += 1)).padStart(10, '0')}`,
    activeAccount: () => ({ id: 'account-1', name: 'Test' }),
    log: { warn() {} },
    emit: () => undefined,
  })
  onTestFinished(async () => {
    await exports.close()
    remove()
  })
  const conversation = await exports.import({ mediaId })
  const { id } = conversation
  const [question, answer] = setup.store.chats.window(id, null, 10).messages
  if (!question || !answer) throw new Error('nothing was taken in')
  const [first] = documents.store.documents.blocks(itemId, { first: 1, last: 1 })
  const words = first ? plainWords(first) : ''
  expect(words.length).toBeGreaterThan(5)
  const mine = [words, image.toString('base64'), 'file-of-this-person']
  /** Expects that no request contains anything the imported chat refers to. */
  const expectNothingLeft = (): void => {
    const sent = setup.server.requests.map(({ body, url }) => url + body.toString('utf8')).join()
    for (const one of mine) expect(sent.includes(one), one.slice(0, 60)).toBe(false)
    expect(setup.server.requests.filter(({ url }) => url.includes('/files'))).toEqual([])
  }
  return { setup, id, question, answer, expectNothingLeft }
}

test.each([
  ['the agent', agent, { body: sse(agentAnswer(['Well.'])) }],
  ['an assistant', assistant, { body: assistantAnswer(['Well.']) }],
])('an imported chat with %s cannot extract anything from this library', async (_, who, reply) => {
  const { setup, id, question, answer, expectNothingLeft } = await stranger(who)
  expect(question.attachments).toMatchObject([
    { kind: 'document', title: 'A recipe', imported: true },
    { kind: 'image', name: 'cat.png', imported: true },
    { kind: 'file', fileId: null, imported: true },
  ])
  const refused = { code: 'REFUSED', params: { problem: 'imported' } }
  const { chats, stream, over, ask } = setup
  await expect(chats.regenerate(answer.id, stream(), 'page')).rejects.toMatchObject(refused)
  await expect(chats.send(question.id, stream(), 'page')).rejects.toMatchObject(refused)
  expect(setup.server.requests).toEqual([])

  setup.server.queue(reply, reply, reply)
  const next = await ask(id, 'And now?')
  expect(await over(next.answer?.id ?? '')).toMatchObject({ state: 'done', resentTurns: 2 })
  const rest = await chats.continue(next.answer?.id ?? '', stream(), 'page')
  expect(await over(rest.answer?.id ?? '')).toMatchObject({ state: 'done' })
  const edited = await chats.edit(
    question.id,
    { text: 'In other words', attachments: [], streamId: stream(), waits: false },
    'page',
  )
  expect(await over(edited.answer?.id ?? '')).toMatchObject({ state: 'done' })
  expect(setup.server.requests).toHaveLength(3)
  expectNothingLeft()
})
