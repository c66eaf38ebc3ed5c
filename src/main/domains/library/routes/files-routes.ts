import type { Saves } from '../service/saves/saves.ts'
import type { Calls } from '../../../platform/bridge/calls.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of files that leave Lectern: saved, shown in their folder, dragged out. */
export const fileHandlers = (
  saves: Saves,
  calls: Calls,
): Pick<Handlers, 'files.save' | 'files.reveal' | 'files.drag'> => ({
  'files.save': ({ callId, ...request }, { connection }) =>
    callId === undefined
      ? saves.save(request, connection.id)
      : calls.run(connection.id, callId, (signal) =>
          saves.save(request, connection.id, {
            signal,
            onProgress: (name, fraction) =>
              connection.push({
                channel: 'app',
                event: { type: 'save.progress', callId, name, fraction },
              }),
          }),
        ),
  'files.reveal': async (what) => {
    await saves.reveal(what)
    return {}
  },
  'files.drag': (request, { connection }) => saves.drag(request, connection.id),
})
