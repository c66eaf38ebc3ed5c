import { decode, encode } from '@msgpack/msgpack'
import { afterEach, expect, test } from 'vitest'
import type { MicrophoneAccess } from '../../src/shared/contract/system.ts'
import { openLectern, type Lectern } from './lectern.ts'

// Starts a recording on systems that deny the microphone: the host's reply is replaced on its way to the page.

let lectern: Lectern
afterEach(() => lectern.close())

interface Frame {
  readonly id: number
  readonly route?: string
  readonly reply?: unknown
}

/** Opens the start card with this reply of the host; returns the settings pages that were requested. */
async function openCard(
  access: MicrophoneAccess,
  options: Parameters<typeof openLectern>[0] = {},
): Promise<readonly unknown[]> {
  lectern = await openLectern(options)
  const { page } = lectern
  const requests: unknown[] = []
  const answers = new Map<number, unknown>()
  await page.routeWebSocket('**/bridge', (socket) => {
    const host = socket.connectToServer()
    socket.onMessage((message) => {
      const frame = decode(message as Buffer) as Frame & { readonly payload: unknown }
      if (frame.route === 'system.microphone') answers.set(frame.id, { access, settings: true })
      if (frame.route === 'system.openSettings') requests.push(frame.payload)
      host.send(message)
    })
    host.onMessage((message) => {
      const frame = decode(message as Buffer) as Frame
      const data = frame.reply === undefined ? undefined : answers.get(frame.id)
      socket.send(
        data === undefined ? message : Buffer.from(encode({ ...frame, reply: { ok: true, data } })),
      )
    })
  })
  await page.reload()
  await page.getByRole('button', { name: /Skip|跳过/ }).click()
  await page.goto(`${new URL(page.url()).origin}/#/meetings?record`)
  await page.getByTestId('start-card').waitFor()
  return requests
}

test('shows a denied microphone before the recording, with a link to the system’s settings', async () => {
  const requests = await openCard('denied')
  const notice = lectern.page.getByTestId('microphone-denied')
  await notice.getByRole('button', { name: 'Open system settings' }).click()
  await expect.poll(() => requests).toEqual([{ page: 'microphone' }])
  // No permission is needed if the microphone is not recorded.
  await lectern.page.getByTestId('use-microphone').uncheck()
  await expect.poll(() => notice.count()).toBe(0)
})

test('offers to allow the microphone, and shows no notice once it is allowed', async () => {
  await openCard('undecided')
  await lectern.page.getByTestId('microphone-undetermined').getByRole('button').waitFor()
  await lectern.close()
  await openCard('granted')
  expect(await lectern.page.getByTestId('microphone-undetermined').count()).toBe(0)
  expect(await lectern.page.getByTestId('microphone-denied').count()).toBe(0)
})
