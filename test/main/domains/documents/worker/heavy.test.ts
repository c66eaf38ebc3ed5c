import { expect, onTestFinished, test } from 'vitest'
import { createDocumentWork } from '../../../../../src/main/domains/documents/worker/work.ts'

/** Renders every page immediately except the first of `heavy.pdf`, where it hangs. */
const program = `import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ id, request: { path, page } }) => {
    while (path === 'heavy.pdf' && page === 1);
    parentPort.postMessage({ id, ok: true, value: { type: 'image', bytes: new Uint8Array(1) } })
  })`

test('stops rendering pages of a PDF with a page that takes too long, but not other files', async () => {
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
  const work = createDocumentWork(url, undefined, { inspectMs: 2000, partsMs: 2000 })
  onTestFinished(() => work.close())
  const draw = (path: string, page: number) =>
    work.pageImage({ path, password: null, page, width: 160 })
  const tooLong = { code: 'DAMAGED_FILE', params: { problem: 'time' } }
  await expect(draw('heavy.pdf', 1)).rejects.toMatchObject(tooLong)
  await expect(draw('heavy.pdf', 2)).rejects.toMatchObject(tooLong)
  await expect(draw('letter.pdf', 1)).resolves.toHaveLength(1)
})
