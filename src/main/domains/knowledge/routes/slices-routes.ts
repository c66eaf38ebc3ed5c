import type { Clock } from '../../../deps.ts'
import type { Slices } from '../service/slices/chunk-retrieval.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers that find citation positions by two IDs of the provider (service-notes 11). */
export const sliceHandlers = (
  slices: Slices,
  clock: Clock,
): Pick<Handlers, Extract<keyof Handlers, `slices.${string}`>> => ({
  'slices.request': (request) => slices.requestPositions(request),
  'slices.ofMessage': (request) => slices.ofMessage(request),
  'slices.list': (request) => slices.list(request),
  'slices.get': ({ id }) => slices.get(id),
  'slices.raw': ({ id }) => ({ reply: slices.raw(id) }),
  'slices.images': ({ id }) => slices.retryImages(id),
  'slices.remove': ({ ids }) => {
    slices.remove(ids, clock())
    return {}
  },
  'slices.restore': ({ ids }) => {
    slices.remove(ids, null)
    return {}
  },
})
