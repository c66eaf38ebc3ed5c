import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import type { ChatAttachment } from '../../../../../src/shared/model/chat.ts'
import { readDocumentQuestion } from '../../../../../src/shared/provider/document-question.ts'
import { agent, agentAnswer, assistant, assistantAnswer, sse } from '../../../app/chat-setup.ts'
import { createGivenTexts } from '../../../../../src/main/domains/documents/service/item-texts.ts'
import { estimateTokens } from '../../../../../src/shared/text/token-estimate.ts'
import { documentSetup } from '../../documents/service/document-setup.ts'
import { presets } from '../../../../../src/shared/provider/profiles.ts'
import type { ScriptedReply } from '../../../../fixtures/scripted-server.ts'
import { aMeeting, newMeeting } from '../../audio/store/fixture.ts'
import { chatSetup } from './chat-setup.ts'

const makeImage = (width = 4): Buffer => createCanvas(width, 4).toBuffer('image/png')

interface Part {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
}
const contentOf = (body: Buffer): string | readonly Part[] => {
  const { messages } = JSON.parse(body.toString('utf8')) as {
    readonly messages: readonly { readonly content: string | readonly Part[] }[]
  }
  return messages[0]?.content ?? ''
}
const textOf = (content: string | readonly Part[]): string =>
  typeof content === 'string' ? content : (content[0]?.text ?? '')

test('sends images as data inside the message and rejects files that are not images', async () => {
  const { server, begin, ask, over, keep } = await chatSetup()
  const mediaId = await keep('x.png', makeImage())
  server.queue({ body: sse(agentAnswer(['Seen'])) })
  const image = { kind: 'image', mediaId, name: 'x.png' } as const
  const turn = await ask(begin(agent), 'What is it?', { attachments: [image] })
  expect(await over(turn.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'Seen' })
  const content = contentOf(server.requests[0]?.body ?? Buffer.alloc(0))
  expect(content).toEqual([
    { type: 'text', text: 'What is it?' },
    {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${makeImage().toString('base64')}` },
    },
  ])
  const text = await keep('x.txt', Buffer.from('words'))
  const wrong = await ask(begin(agent), 'And this?', {
    attachments: [{ kind: 'image', mediaId: text, name: 'x.txt' }],
  })
  expect(await over(wrong.answer?.id ?? '')).toMatchObject({
    state: 'failed',
    error: { code: 'UNSUPPORTED_FORMAT' },
  })
  expect(server.requests).toHaveLength(1)
})

test('sends documents as page text, of a long one the pages about the question; rejects one without text', async () => {
  const documents = await documentSetup()
  const itemId = await documents.document(3)
  const bare = await chatSetup({ over: documents })
  const attached = (pages: string): ChatAttachment => ({
    kind: 'document',
    itemId,
    title: 'Long\ntitle',
    pages,
  })
  const early = await bare.ask(bare.begin(agent), 'What?', { attachments: [attached('')] })
  expect(await bare.over(early.answer?.id ?? '')).toMatchObject({
    state: 'failed',
    error: { code: 'EMPTY_FILE', params: { name: 'Long\ntitle' } },
  })

  const options = { pages: '', crops: false, layoutPictures: false }
  await documents.finish(documents.documents.parse({ id: itemId, options }).id)
  bare.server.queue({ body: sse(agentAnswer(['Read'])) })
  const whole = await bare.ask(bare.begin(agent), 'What does it say?', {
    attachments: [attached('')],
  })
  await bare.over(whole.answer?.id ?? '')
  const read = readDocumentQuestion(
    textOf(contentOf(bare.server.requests[0]?.body ?? Buffer.alloc(0))),
  )
  expect(read).toMatchObject({ title: 'Long title', question: 'What does it say?' })
  expect(read?.text).toContain('<!-- page 3 -->')
  expect(bare.chats.message(whole.question.id).attachments).toEqual([attached('')])

  const { pages } = await createGivenTexts(documents.store).text({
    id: itemId,
    pages: '',
    pageMarks: true,
    maxTokens: 1e6,
    lengthsOnly: true,
  })
  const tokens = (pages[0]?.tokens ?? 0) + (pages[1]?.tokens ?? 0) + estimateTokens('What?').likely
  const small = await chatSetup({ over: documents, limits: { 'chat.tokens': tokens } })
  small.server.queue({ body: sse(agentAnswer(['Some of it'])) })
  const part = await small.ask(small.begin(agent), 'What?', { attachments: [attached('')] })
  expect(await small.over(part.answer?.id ?? '')).toMatchObject({ state: 'done' })
  const sent = textOf(contentOf(small.server.requests[0]?.body ?? Buffer.alloc(0)))
  expect(sent).toContain('<!-- page 2 -->')
  expect(sent).not.toContain('<!-- page 3 -->')
  // The question records which pages were actually sent.
  expect(small.chats.message(part.question.id).attachments).toEqual([
    { ...attached(''), sent: '1-2' },
  ])

  small.server.queue({ body: sse(agentAnswer(['The last one'])) })
  const last = await small.ask(small.begin(agent), '3?', { attachments: [attached('')] })
  expect(await small.over(last.answer?.id ?? '')).toMatchObject({ state: 'done' })
  expect(small.chats.message(last.question.id).attachments).toEqual([
    { ...attached(''), sent: '2-3' },
  ])

  const none = await chatSetup({ over: documents, limits: { 'chat.tokens': 3 } })
  const refused = await none.ask(none.begin(agent), 'What?', { attachments: [attached('')] })
  expect(await none.over(refused.answer?.id ?? '')).toMatchObject({
    state: 'failed',
    error: { code: 'CONTEXT_TOO_LONG' },
  })
  expect(none.server.requests).toEqual([])
})

test('uploads files of an assistant once, and again if the provider no longer has their IDs', async () => {
  const { server, begin, ask, over, keep, chats, stream } = await chatSetup()
  let uploads = 0
  const known = new Set<string>()
  const answers: (() => { status?: number; body: string })[] = []
  server.always(({ url, body }) => {
    if (url.endsWith('/files')) {
      const id = `file-${(uploads += 1)}`
      known.add(id)
      return { body: JSON.stringify({ id, filename: 'a.pdf', bytes: 3, purpose: 'agent' }) }
    }
    const request = JSON.parse(body.toString('utf8')) as { attachments?: { file_id: string }[] }
    const strange = request.attachments?.find(({ file_id: id }) => !known.has(id))
    if (strange) return { status: 400, body: '{"code":1214,"message":"no such file"}' }
    return answers.shift()?.() ?? { body: assistantAnswer(['Read']) }
  })
  const mediaId = await keep('a.pdf', Buffer.from('%PDF-1.4 words'))
  const file = { kind: 'file', mediaId, name: 'a.pdf', fileId: null } as const
  answers.push(() => ({ status: 400, body: '{"code":1301,"message":"blocked"}' }))
  const turn = await ask(begin(assistant), 'What?', { attachments: [file] })
  expect(await over(turn.answer?.id ?? '')).toMatchObject({
    state: 'failed',
    error: { code: 'CONTENT_BLOCKED' },
  })
  expect(chats.message(turn.question.id).attachments).toEqual([{ ...file, fileId: 'file-1' }])
  const again = await chats.regenerate(turn.answer?.id ?? '', stream(), 'page')
  expect(await over(again.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'Read' })
  expect(uploads).toBe(1)
  known.clear()
  const third = await chats.regenerate(again.answer?.id ?? '', stream(), 'page')
  expect(await over(third.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'Read' })
  expect(uploads).toBe(2)
  expect(chats.message(turn.question.id).attachments).toEqual([{ ...file, fileId: 'file-2' }])
})

test('saves generated images because their URLs expire, and reports one that fails', async () => {
  const drawing = makeImage(9)
  const { server, begin, ask, over, store, files } = await chatSetup({
    remote: {
      resolve: async () => [{ address: '93.184.216.34', family: 4 }],
      get: async (url) => ({
        status: url.endsWith('gone.png') ? 404 : 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([Uint8Array.from(drawing)]).stream(),
      }),
    },
  })
  const tool = (image: string) => ({
    conversation_id: 'c1',
    choices: [
      {
        index: 0,
        delta: {
          role: 'tool',
          tool_calls: [
            { type: 'drawing_tool', drawing_tool: { input: 'a cat', outputs: [{ image }] } },
          ],
        },
      },
    ],
  })
  const addresses = [
    'https://pictures.example/cat.png',
    'https://pictures.example/gone.png',
    'http://10.0.0.1/private.png',
    `data:image/png;base64,${drawing.toString('base64')}`,
  ]
  server.queue({ body: sse(addresses.map(tool)) + assistantAnswer(['Here it is']) })
  const turn = await ask(begin(assistant), 'Draw a cat')
  const answer = await over(turn.answer?.id ?? '')
  expect(answer).toMatchObject({ state: 'done', text: 'Here it is' })
  const outputs = answer.steps.flatMap((step) =>
    step.kind === 'tool'
      ? (step.call['outputs'] as { image: string; mediaId: string | null; trouble?: string }[])
      : [],
  )
  expect(outputs.map(({ image }) => image)).toEqual(addresses)
  expect(outputs.map(({ mediaId, trouble }) => [mediaId !== null, trouble])).toEqual([
    [true, undefined],
    [false, 'SERVICE_FAILED'],
    [false, 'REFUSED'],
    [true, undefined],
  ])
  const savedId = outputs[0]?.mediaId ?? ''
  expect(store.media.get(savedId)).toMatchObject({ mime: 'image/png' })
  // A saved image is in use: cleanup of unreferenced media does not remove it.
  await files.remove(savedId)
  expect(store.media.get(savedId)).toBeDefined()
})

test('sends translation and conversation options of an assistant in the provider format', async () => {
  const { server, begin, ask, over } = await chatSetup()
  server.queue({ body: assistantAnswer(['Guten Tag']) }, { body: assistantAnswer(['Bis bald']) })
  const settings = {
    ...assistant,
    model: 'gen-4-alltools',
    doSample: false,
    translate: { from: 'en', to: 'de' },
  }
  const id = begin(settings)
  const turn = await ask(id, 'Good day')
  expect(await over(turn.answer?.id ?? '')).toMatchObject({
    state: 'done',
    model: 'glm-4-assistant',
    finishReason: 'stop',
  })
  await over((await ask(id, 'See you')).answer?.id ?? '')
  const bodies = server.requests.map(
    ({ body }) => JSON.parse(body.toString('utf8')) as Record<string, unknown>,
  )
  expect(bodies[0]).toMatchObject({
    assistant_id: '65940acff94777010aa6b796',
    do_sample: false,
    extra_parameters: { translate: { from: 'en', to: 'de' } },
  })
  expect(bodies[0]).not.toHaveProperty('conversation_id')
  expect(bodies[1]).toMatchObject({ conversation_id: 'c1' })
})

test('uploads a file separately for each account and never sends IDs across accounts', async () => {
  const setup = await chatSetup()
  setup.store.accounts.put({
    id: 'account-2',
    preset: 'custom',
    name: 'Other',
    profile: presets.bigmodel,
    createdAt: 2,
  })
  const mediaId = await setup.keep('a.pdf', Buffer.from('%PDF-1.4 words'))
  const uploaded = (id: string): ScriptedReply => ({
    body: JSON.stringify({ id, filename: 'a.pdf', bytes: 3, purpose: 'agent' }),
  })
  const body = (at: number): string => setup.server.requests[at]?.body.toString('utf8') ?? ''
  const id = setup.begin(assistant)
  setup.server.queue(
    uploaded('file-1'),
    { body: assistantAnswer(['Read']) },
    uploaded('file-2'),
    { body: assistantAnswer(['Again']) },
    { body: assistantAnswer(['Once more']) },
    uploaded('file-3'),
    { body: assistantAnswer(['More']) },
  )
  const first = await setup.ask(id, 'What?', {
    attachments: [{ kind: 'file', mediaId, name: 'a.pdf', fileId: null }],
  })
  const answer = await setup.over(first.answer?.id ?? '')
  expect(body(1)).toContain('file-1')

  setup.chats.configure({ id, settings: assistant, accountId: 'account-2' })
  const again = await setup.chats.regenerate(answer.id, setup.stream(), 'page')
  expect(await setup.over(again.answer?.id ?? '')).toMatchObject({ text: 'Again' })
  expect(JSON.parse(body(3))).toMatchObject({ attachments: [{ file_id: 'file-2' }] })
  // An account continues to use its own uploads.
  const more = await setup.chats.regenerate(answer.id, setup.stream(), 'page')
  await setup.over(more.answer?.id ?? '')
  expect(JSON.parse(body(4))).toMatchObject({ attachments: [{ file_id: 'file-2' }] })

  // A file of an earlier question is also uploaded for the next account.
  setup.chats.configure({ id, settings: assistant, accountId: 'account-1' })
  const next = await setup.ask(id, 'And?')
  expect(await setup.over(next.answer?.id ?? '')).toMatchObject({ state: 'done', text: 'More' })
  expect(JSON.parse(body(6))).toMatchObject({ attachments: [{ file_id: 'file-3' }] })
  expect(
    JSON.stringify(setup.server.requests.slice(2).map((one) => String(one.body))),
  ).not.toContain('file-1')
})

test('sends the transcript of a meeting with its times; refuses one that is gone or has none', async () => {
  const { server, store, begin, ask, over } = await chatSetup()
  newMeeting(store, 'm')
  const meeting = { kind: 'meeting', itemId: 'm', name: 'Weekly' } as const
  const chat = begin(agent)
  server.queue({ body: sse(agentAnswer(['Seven [0:03]'])) })
  const first = await ask(chat, 'What comes after six?', { attachments: [meeting] })
  await over(first.answer?.id ?? '')
  const sent = (): ReturnType<typeof readDocumentQuestion> =>
    readDocumentQuestion(textOf(contentOf(server.requests.at(-1)?.body ?? Buffer.alloc(0))))
  expect(sent()).toMatchObject({
    title: 'Weekly',
    text: expect.stringContaining('[0:03] Others: six seven'),
    question: 'What comes after six?',
  })
  const missing = await ask(chat, 'And here?', {
    attachments: [{ ...meeting, itemId: 'gone' }],
  }).catch((error: unknown) => error)
  expect(missing).toMatchObject({ code: 'NOT_FOUND' })
  store.meetings.create(aMeeting('silent'))
  const nothing = await ask(chat, 'What?', { attachments: [{ ...meeting, itemId: 'silent' }] })
  expect(await over(nothing.answer?.id ?? '')).toMatchObject({
    state: 'failed',
    error: { code: 'EMPTY_FILE', params: { name: 'Weekly' } },
  })
})
