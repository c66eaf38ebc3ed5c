import { putAudio } from '../../../../lib/bridge/upload-audio.ts'
import type { RecorderMessage, SenderMessage, SenderRequest } from './messages.ts'
import { createSender } from './sender.ts'

/** Entry point of the sender's worker: receives blocks on the worklet's port; the window only gets status messages. */
let hurry: () => void = () => {}

/** Resolves after this many ms, or when main is reported to be reachable again. */
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    hurry = () => {
      clearTimeout(timer)
      resolve()
    }
  })

addEventListener('message', ({ data }: MessageEvent<SenderRequest>) => {
  if (data.type === 'hurry') return hurry()
  const { id, channels, sampleRate, tabKey, port } = data
  const sender = createSender({
    channels,
    sampleRate,
    put: (frame, fill, samples) => putAudio({ id, tabKey, frame, fill, samples }),
    wait,
    post: (message: SenderMessage) => postMessage(message),
  })
  port.onmessage = (event: MessageEvent<RecorderMessage>) =>
    sender.take(event.data, performance.now())
})
addEventListener('online', () => hurry())
