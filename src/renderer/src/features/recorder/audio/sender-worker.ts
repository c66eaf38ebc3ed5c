import { putAudio } from '../../../api/upload-audio.ts'
import type { RecorderMessage, SenderMessage, SenderRequest } from './messages.ts'
import { createSender } from './sender.ts'

/** The program of the sender's worker: blocks come from the worklet's port, the window only hears how it goes. */
let hurry: () => void = () => {}

/** Ends after so many ms, or when somebody says that main is back. */
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
