import { createVectorService } from './vector-service.ts'
import { Gone } from './load.ts'
import type { VectorMessage, VectorRequest } from './messages.ts'

/** Thrown into work whose result is no longer needed. */
class Replaced extends Error {}

/** Requests of which only the newest counts; all requests for tiles and cosines count. */
const single = new Set<VectorRequest['type']>(['load', 'map', 'nearest', 'pairs', 'overlap'])

const service = createVectorService()
const newest = new Map<VectorRequest['type'], number>()

async function answer(id: number, request: VectorRequest): Promise<void> {
  newest.set(request.type, id)
  const wanted = (): boolean => !single.has(request.type) || newest.get(request.type) === id
  const post = (message: VectorMessage): void => self.postMessage(message)
  try {
    const found = await service.answer(request, {
      progress: (done) => wanted() && post({ id, progress: done }),
      async breathe() {
        await new Promise((resolve) => setTimeout(resolve, 0))
        if (!wanted()) throw new Replaced()
      },
    })
    post(wanted() ? { id, answer: found } : { id, failed: 'replaced' })
  } catch (error) {
    const failed =
      error instanceof Replaced ? 'replaced' : error instanceof Gone ? 'gone' : 'broken'
    post({ id, failed })
  }
}

self.onmessage = ({
  data,
}: MessageEvent<{ readonly id: number; readonly request: VectorRequest }>): void => {
  void answer(data.id, data.request)
}
