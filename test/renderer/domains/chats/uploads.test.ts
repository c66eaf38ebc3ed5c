import { expect, test } from 'vitest'
import type { Reply } from '../../../../src/shared/contract/reply.ts'
import type { IntakeReply } from '../../../../src/shared/contract/transport.ts'
import type { ChatAttachment } from '../../../../src/shared/model/chat.ts'
import { useUploads } from '../../../../src/renderer/src/domains/chats/composer/use-uploads.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const media = (name: string, mime: string): Reply<IntakeReply> => ({
  ok: true,
  data: {
    media: {
      id: `m-${name}`,
      sha256: '',
      bytes: 3,
      mime,
      name,
      duration: null,
      createdAt: 0,
    },
  },
})

/** Uploads that end when the test specifies. */
function open() {
  const ends = new Map<string, (reply: Reply<IntakeReply>) => void>()
  const app = rendererSetup({}, (file, options) => {
    options?.onProgress?.(0.5)
    return new Promise((resolve) => {
      ends.set(file.name, resolve)
      options?.signal?.addEventListener('abort', () =>
        resolve({ ok: false, error: failure('CANCELLED') }),
      )
    })
  })
  const attached: [to: string, one: ChatAttachment][] = []
  const uploads = app.run(() => useUploads((to, one) => attached.push([to, one])))
  const end = async (name: string, reply: Reply<IntakeReply>) => {
    ends.get(name)?.(reply)
    await app.settle()
  }
  return { ...uploads, attached, end, settle: app.settle, client: app.client }
}
const file = (name: string, type = 'image/png', text = 'abc') => new File([text], name, { type })

test('uploads files in parallel and attaches them in the given order, to their chat', async () => {
  const { take, attached, uploads, end, settle } = open()
  take('c-1', [file('a.png'), file('b.csv', 'text/csv')], 'assistant', 20)
  take('c-2', [file('c.png')], 'agent', 20)
  await settle()
  expect(uploads.value.map(({ name, to, progress }) => [name, to, progress])).toEqual([
    ['a.png', 'c-1', 0.5],
    ['b.csv', 'c-1', 0.5],
    ['c.png', 'c-2', 0.5],
  ])
  await end('c.png', media('c.png', 'image/png'))
  await end('b.csv', media('b.csv', 'text/plain'))
  expect(attached).toEqual([])
  await end('a.png', media('a.png', 'image/png'))
  expect(attached).toEqual([
    ['c-1', { kind: 'image', mediaId: 'm-a.png', name: 'a.png' }],
    ['c-1', { kind: 'file', mediaId: 'm-b.csv', name: 'b.csv', fileId: null }],
    ['c-2', { kind: 'image', mediaId: 'm-c.png', name: 'c.png' }],
  ])
  expect(uploads.value).toEqual([])
})

test('keeps a failed file with its reason, and continues with the next ones', async () => {
  const { take, attached, uploads, end, settle, drop } = open()
  const images = [file('empty.png', 'image/png', ''), file('a.png'), file('lie.png'), file('b.png')]
  take('c-1', images, 'agent', 20)
  await settle()
  await end('a.png', { ok: false, error: failure('DISK_FULL') })
  await end('lie.png', media('lie.png', 'image/tiff'))
  await end('b.png', media('b.png', 'image/png'))
  expect(attached.map(([, one]) => one.kind === 'image' && one.name)).toEqual(['b.png'])
  expect(uploads.value.map((one) => one.failure?.code)).toEqual([
    'EMPTY_FILE',
    'DISK_FULL',
    'UNSUPPORTED_FORMAT',
  ])
  for (const { id } of uploads.value) drop(id)
  expect(uploads.value).toEqual([])
})

test('does not attach a file removed during its upload, even if it completes', async () => {
  const { take, attached, uploads, drop, settle, end } = open()
  take('c-1', [file('a.png'), file('b.png')], 'agent', 20)
  await settle()
  drop(uploads.value[0]?.id ?? 0)
  await end('b.png', media('b.png', 'image/png'))
  expect(attached.map(([, one]) => one.kind === 'image' && one.name)).toEqual(['b.png'])
})

test('rejects the agent’s files by name, and counts those above the maximum', () => {
  const { take } = open()
  const files = [file('a.csv', 'text/csv'), file('a.png'), file('b.png'), file('c.png')]
  expect(take('c-1', files, 'agent', 1)).toEqual({ refused: ['a.csv'], over: 2 })
  expect(take('c-1', files, 'assistant', 0)).toEqual({ refused: [], over: 4 })
})
