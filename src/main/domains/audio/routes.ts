import type { Meetings } from './service/meetings.ts'
import type { RecordingPage } from './service/recording/recording-page.ts'
import type { Handlers } from '../../platform/bridge/router.ts'

/** Handlers of meetings: each route is the method of the same name. */
export const meetingHandlers = (
  meetings: Meetings,
  recordingPage: RecordingPage,
): Pick<Handlers, Extract<keyof Handlers, `meetings.${string}`>> => ({
  'meetings.begin': (request, { connection }) =>
    recordingPage.begin(connection.id, () => meetings.begin(request)),
  'meetings.capture': (request) => meetings.capture(request),
  'meetings.reopen': (request) => meetings.reopen(request),
  'meetings.stop': (request) => meetings.stop(request),
  'meetings.import': (request) => meetings.import(request),
  'meetings.get': (request) => meetings.get(request),
  'meetings.lines': (request) => meetings.lines(request),
  'meetings.update': (request) => meetings.update(request),
  'meetings.fill': (request) => meetings.fill(request),
  'meetings.stopTranscription': (request) => meetings.stopTranscription(request),
  'meetings.again': (request) => meetings.again(request),
  'meetings.versions': (request) => meetings.versions(request),
  'meetings.decide': (request) => meetings.decide(request),
  'meetings.edit': (request) => meetings.edit(request),
  'meetings.undo': (request) => meetings.undo(request),
  'meetings.redo': (request) => meetings.redo(request),
  'meetings.find': (request) => meetings.find(request),
  'meetings.bookmark': (request) => meetings.bookmark(request),
  'meetings.learn': (request) => meetings.learn(request),
  'meetings.templates': (request) => meetings.templates(request),
  'meetings.saveTemplate': (request) => meetings.saveTemplate(request),
  'meetings.removeTemplate': (request) => meetings.removeTemplate(request),
  'meetings.summarise': (request) => meetings.summarise(request),
  'meetings.removeSummary': (request) => meetings.removeSummary(request),
  'meetings.export': (request) => meetings.export(request),
  'meetings.exportAudio': (request, { signal }) => meetings.exportAudio(request, signal),
})
