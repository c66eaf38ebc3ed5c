import type { Calls } from '../../../platform/bridge/calls.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'
import type { StreamHub } from '../../../platform/bridge/streams.ts'

/** Handlers for attaching to and detaching from streams, and for aborting a long call. */
export const streamHandlers = (
  hub: StreamHub,
  calls: Calls,
): Pick<Handlers, 'streams.attach' | 'streams.detach' | 'streams.cancel'> => ({
  'streams.attach': ({ streamId }, { connection }) => hub.attach(streamId, connection.id),
  'streams.detach': ({ streamId }, { connection }) => {
    hub.detach(streamId, connection.id)
    return {}
  },
  'streams.cancel': ({ callId }, { connection }) => ({
    cancelled: calls.cancel(connection.id, callId),
  }),
})
