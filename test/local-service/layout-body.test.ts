import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readFileJson } from '../../src/local-service/endpoints/file-json.ts'
import type { FileJsonBody } from '../../src/local-service/endpoints/file-json.ts'

/** Creates a request whose body is received in these chunks. */
function incoming(
  chunks: readonly (string | Buffer)[],
  type = 'application/json',
): IncomingMessage {
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)))
  return Object.assign(stream, { headers: { 'content-type': type } }) as unknown as IncomingMessage
}

const read = (text: string, maxBytes = 1000): Promise<FileJsonBody> =>
  readFileJson(incoming([text]), 'file', maxBytes)

const uri = (bytes: Uint8Array, mime = 'application/pdf'): string =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`

const content = ({ file }: FileJsonBody): string =>
  file?.kind === 'bytes' ? Buffer.from(file.bytes).toString() : (file?.kind ?? 'absent')

test('decodes the file wherever it is and wherever the body is cut', async () => {
  const words = 'Ein "schönes" Bild'
  const file = uri(Buffer.from(words))
  const body = {
    model: 'gen-ocr',
    nested: { file: 'not this one' },
    list: ['file', ':'],
    file,
    z: 1,
  }
  const bytes = Buffer.from(JSON.stringify(body))
  for (let at = 1; at < bytes.length; at++) {
    const chunks = [bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at + 1)]
    const found = await readFileJson(incoming(chunks), 'file', 1000)
    expect(content(found)).toBe(words)
    expect(found.body.values).toEqual({ ...body, file: '' })
  }
})

test('decodes JSON escapes in the file, in its name and in other fields', async () => {
  const file = uri(Buffer.from([0xfb, 0xff, 0xfe, 0x3f])).replaceAll('/', '\\/')
  const plus = file.replace('+', '\\u002B').replace('data', 'd\\u0061ta')
  const found = await read(`{"note":"a \\" file: \\\\","\\u0066ile" : "${plus}"}`)
  expect(found.file?.kind === 'bytes' && [...found.file.bytes]).toEqual([0xfb, 0xff, 0xfe, 0x3f])
  expect(found.body.values['note']).toBe('a " file: \\')
})

test('uses the last of two files, like JSON', async () => {
  const two = `{"file":"${uri(Buffer.from('one'))}","file":"${uri(Buffer.from('two'))}"}`
  expect(content(await read(two))).toBe('two')
})

test('distinguishes values that are not data URIs', async () => {
  const kinds: Record<string, string> = {
    'https://example.org/a.pdf': 'url',
    'HTTP://example.org/a.pdf': 'url',
    JVBERi0xLjc: 'bare',
    '': 'bare',
    'data:application/pdf,abcd': 'damaged',
    'data:application/pdf;base64': 'damaged',
    'data:application/pdf;base64,ab*d': 'damaged',
    'data:application/pdf;base64,abcde': 'damaged',
    'data:application/pdf;base64,ab=c': 'damaged',
    'data:application/pdf;base64,YQ=': 'damaged',
    'data:application/pdf;base64,': '',
    'data:application/pdf;base64,YQ==': 'a',
    'data:application/pdf;base64,YQ': 'a',
    'data:;base64,YQ==': 'a',
    'data:image/png;name=a.png;base64,YWI=': 'ab',
  }
  for (const [text, kind] of Object.entries(kinds))
    expect([text, content(await read(JSON.stringify({ file: text })))]).toEqual([text, kind])
})

test('accepts a file at the limit and rejects one more byte', async () => {
  expect(content(await read(JSON.stringify({ file: uri(Buffer.alloc(1000, 'a')) })))).toHaveLength(
    1000,
  )
  expect(content(await read(JSON.stringify({ file: uri(Buffer.alloc(1001, 'a')) })))).toBe(
    'too-large',
  )
  expect(content(await read(JSON.stringify({ file: uri(Buffer.alloc(9000, 'a')) })))).toBe(
    'too-large',
  )
})

test('leaves a file that is absent or not a string to the caller', async () => {
  expect((await read('{"file":12}')).file).toBeUndefined()
  expect((await read('{"file":null}')).file).toBeUndefined()
  expect((await read(`{"file":{"file":"${uri(Buffer.from('a'))}"}}`)).file).toBeUndefined()
  expect((await read('{"model":"file"}')).file).toBeUndefined()
})

test('rejects bodies that are not a JSON object', async () => {
  const bodies = [
    '',
    '{',
    '[]',
    '"file"',
    '{"file":"data:',
    '{"file":"a" "b":1}',
    '{"a":"\xff"',
    'null',
  ]
  for (const body of bodies) await expect(read(body)).rejects.toThrow(/JSON/)
  await expect(readFileJson(incoming(['{}'], 'text/plain'), 'file', 10)).rejects.toThrow(
    'application/json',
  )
  await expect(
    readFileJson(incoming([Buffer.from('{"a":"\xff"}', 'latin1')]), 'file', 10),
  ).rejects.toThrow('JSON')
})

test('rejects a huge field besides the file', async () => {
  const note = 'a'.repeat(1024 * 1024)
  await expect(read(JSON.stringify({ note, file: uri(Buffer.from('a')) }))).rejects.toThrow(
    'All fields but file',
  )
})

test('needs memory for fifty megabytes only once', async () => {
  const bytes = Buffer.alloc(50 * 1024 * 1024, 7)
  async function* body(): AsyncGenerator<Buffer> {
    yield Buffer.from('{"file":"data:application/pdf;base64,')
    for (let at = 0; at < bytes.length; at += 65_535)
      yield Buffer.from(bytes.subarray(at, at + 65_535).toString('base64'))
    yield Buffer.from('"}')
  }
  const stream = Object.assign(Readable.from(body()), {
    headers: { 'content-type': 'application/json' },
  })
  const before = process.memoryUsage()
  const found = await readFileJson(stream as unknown as IncomingMessage, 'file', bytes.length)
  const after = process.memoryUsage()
  expect(found.file?.kind === 'bytes' && Buffer.from(found.file.bytes).equals(bytes)).toBe(true)
  // The bytes themselves, and the chunks that are not garbage-collected yet.
  const grown = after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed
  expect(grown).toBeLessThan(1.9 * bytes.length)
})
