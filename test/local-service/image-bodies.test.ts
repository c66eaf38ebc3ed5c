import { crc32 } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { maxImageJsonBytes } from '../../src/local-service/json-body.ts'
import { question, reply } from './fixtures/agent.ts'
import { outcomeOf, post } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { newBase } from './fixtures/knowledge.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

// Recognizing text in images takes seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/**
 * Creates a small image in a file of this many bytes: the rest is in a chunk that does not affect the image.
 */
async function heavyImage(bytes: number): Promise<string> {
  const canvas = createCanvas(400, 100)
  const pen = canvas.getContext('2d')
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, 400, 100)
  const png = await canvas.encode('png')
  const typeAndData = Buffer.alloc(4 + bytes - png.length - 12, 'x')
  typeAndData.write('prIv', 0, 'latin1')
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(typeAndData.length - 4, 0)
  frame.writeUInt32BE(crc32(typeAndData), 4)
  const afterHead = 8 + 25
  const whole = Buffer.concat([
    png.subarray(0, afterHead),
    frame.subarray(0, 4),
    typeAndData,
    frame.subarray(4),
    png.subarray(afterHead),
  ])
  expect(whole.length).toBe(bytes)
  return `data:image/png;base64,${whole.toString('base64')}`
}

const megabyte = 1024 * 1024

test('accepts two images of the maximum size in a message', async () => {
  const url = await heavyImage(10 * megabyte)
  const image = { type: 'image_url', image_url: { url } }
  const base = await newBase(service)
  const body = question([{ type: 'text', text: 'What is this?' }, image, image], [base])
  const { events } = await reply(service, body)
  expect(events.at(-1)?.notice).toContain('Only text in images is read.')
})

const image = { type: 'image_url', image_url: { url: 'x'.repeat(20 * megabyte) } }
const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, image] }]

test.each<[string, Json]>([
  [
    '/paas/v4/assistant',
    { assistant_id: '65940acff94777010aa6b796', model: 'gen-4-assistant', messages },
  ],
  ['/paas/v4/async/chat/completions', { model: 'gen-5v-turbo', messages }],
  ['/v1/responses', { model: 'gen-5v-turbo', input: messages }],
])('%s accepts a body of more than 16 MB, and returns 413 above its limit', async (path, body) => {
  expect(await outcomeOf(await post(service, path, body))).toBe('ok')
  const response = await post(service, path, { ...body, more: 'x'.repeat(maxImageJsonBytes) })
  expect(response.status).toBe(413)
  await response.body?.cancel()
})

test('applies the smaller limit to a body of texts', async () => {
  const body = { model: 'rerank', query: 'x', documents: ['x'.repeat(17 * megabyte)] }
  expect(await outcomeOf(await post(service, '/paas/v4/rerank', body))).toBe('413 413')
})
