import type { RecorderReply, RecorderRequest } from './recorder-messages.ts'
import { describeSession, repairSession } from './repair.ts'
import { openWriter, type SessionWriter, type WriterOptions } from './session-writer.ts'

/** Error code for a session that is not open: after its thread was lost, or after it was closed. */
const notOpenCode = 'SESSION_NOT_OPEN'

/** Processes the requests of the recorder's worker in the order of arrival. One writer for each open session. */
export function createRecorder(
  options: WriterOptions,
): (request: RecorderRequest) => RecorderReply {
  const writers = new Map<string, SessionWriter>()

  function writerOf(folder: string): SessionWriter {
    const writer = writers.get(folder)
    if (!writer) throw Object.assign(new Error('The session is not open'), { code: notOpenCode })
    return writer
  }

  return (request) => {
    switch (request.type) {
      case 'open': {
        const writer =
          writers.get(request.folder) ?? openWriter(request.folder, request.head, options)
        writers.set(request.folder, writer)
        return writer.write(0, new Uint8Array(0), false)
      }
      case 'write': {
        const { folder, frame, samples, fill } = request
        const answer = writerOf(folder).write(frame, samples, fill)
        if (answer.full) writers.delete(folder)
        return answer
      }
      case 'event': {
        const answer = writerOf(request.folder).event(request.event)
        if (answer.full) writers.delete(request.folder)
        return answer
      }
      case 'close': {
        const writer = writerOf(request.folder)
        writers.delete(request.folder)
        return writer.close()
      }
      case 'repair':
        return repairSession(request.folder, options)
      case 'describe':
        return describeSession(request.folder)
    }
  }
}
