import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { question, reply } from './fixtures/agent.ts'
import { embedded, newBase } from './fixtures/knowledge.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

// Recognizing an image takes seconds on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 })

let service: TestService
let base = ''
beforeAll(async () => {
  service = await startTestService()
  base = await newBase(service)
})
afterAll(() => service.stop())

async function written(...lines: readonly string[]): Promise<Buffer> {
  const canvas = createCanvas(900, 260)
  const pen = canvas.getContext('2d')
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, 900, 260)
  pen.fillStyle = 'black'
  pen.font = '44px sans-serif'
  for (const [i, line] of lines.entries()) pen.fillText(line, 40, 80 + i * 90)
  return canvas.encode('png')
}

test('indexes the text of an image as chunks with boxes, and answers questions in images', async () => {
  const notice = await written('The ferry leaves at noon', 'from the north pier')
  const document = await embedded(service, base, 'notice.png', notice, { knowledge_type: '7' })
  expect(document).toMatchObject({ embedding_stat: 1, url: expect.stringMatching(/\.png$/) })
  const questionImage = await written('When does the ferry leave?')
  const url = `data:image/png;base64,${questionImage.toString('base64')}`
  const { answer, cited, events } = await reply(
    service,
    question([{ type: 'image_url', image_url: { url } }], [base]),
  )
  expect(answer).toContain('noon')
  expect(cited[0]?.metadata).toMatchObject({
    doc_name: 'notice.png',
    position: { page: 1, width: 900, height: 260 },
  })
  const toolResult = events.find(({ type }) => type === 'tool_result')
  expect(toolResult?.data).toMatchObject({
    toolName: 'image_reading',
    result: expect.stringContaining('ferry'),
  })
  expect(events.at(-1)?.notice).toContain('Only text in images is read.')
})
