import type { MeetingJson } from '../../../../shared/contract/meeting-json.ts'
import type { Meeting } from '../../../../shared/model/meeting.ts'
import type { ExportSource } from './document.ts'

/**
 * Writes a complete meeting that `meetingJson` parses to the same data. Options do not apply: nothing is left out.
 */
export function writeJson(source: ExportSource): string {
  const { meeting, lines } = source
  const document: MeetingJson = {
    format: 'lectern-meeting',
    version: 1,
    app: source.appVersion,
    title: meeting.title,
    startedAt: new Date(meeting.startedAt).toISOString(),
    durationMs: meeting.durationMs,
    source: meeting.source,
    channels: [...meeting.channels],
    sampleRate: meeting.sampleRate,
    originalSha256: source.originalSha256,
    prompt: meeting.prompt,
    hotwords: [...meeting.hotwords],
    notes: meeting.notes,
    speakers: meeting.speakers.map(({ id: speaker, name, channel, mark }) => ({
      id: speaker,
      name,
      channel,
      mark,
    })),
    bookmarks: meeting.bookmarks.map((one) => ({ ...one })),
    gaps: meeting.gaps.map((one) => ({ ...one })),
    segments: source.segments.map((one) => ({
      id: one.id,
      startMs: one.startMs,
      endMs: one.endMs,
      channel: one.channel,
      state: one.state,
      forcedStart: one.forcedStart,
      forcedEnd: one.forcedEnd,
      voiced: one.voiced.map((voiced) => ({ ...voiced })),
      flags: [...one.flags],
      readingId: one.versionId,
    })),
    readings: source.versions.map(({ accountId: _account, ...one }) => ({
      ...one,
      flags: [...one.flags],
    })),
    lines: lines.map((one) => ({ ...one, flags: [...one.flags] })),
    summaries: doneSummaries(meeting),
  }
  return `${JSON.stringify(document, null, 1)}\n`
}

function doneSummaries({ summaries }: Meeting): MeetingJson['summaries'] {
  return summaries
    .filter(({ state }) => state === 'done')
    .map(({ id: summary, templateId, templateName, points, engine, at }) => ({
      id: summary,
      templateId,
      templateName,
      points: points.map((point) => ({ ...point, lineIds: [...point.lineIds] })),
      engine,
      at,
    }))
}
