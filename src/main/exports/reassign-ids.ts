import type { MeetingJson } from '../../shared/bridge/meeting-json.ts'

/**
 * The same meeting with every id made anew, beginning with `prefix`: the same json may be read in twice. Ids of a kind grow with
 * their place, so that their rows lie side by side. What refers to nothing is put right: a line of an unknown speaker is the first
 * one's (empty when there is none), readings of unknown segments are left out, and so are segments at a place that is taken.
 */
export function remade(json: MeetingJson, prefix: string): MeetingJson {
  const name = (kind: string, at: number): string =>
    `${prefix}-${kind}${String(at).padStart(6, '0')}`
  const names = (kind: string, all: readonly { readonly id: string }[]) =>
    new Map(all.map(({ id }, at) => [id, name(kind, at)] as const))

  const speakers = names('s', json.speakers)
  const [first = ''] = speakers.values()
  const places = new Set<string>()
  const retained = json.segments.filter(({ channel, startMs }) => {
    const { size } = places
    return places.add(`${channel}:${startMs}`).size > size
  })
  const segments = names('g', retained)
  // The newest stands first, and rows are read by age.
  const retainedVersions = json.readings.filter((one) => segments.has(one.segmentId)).toReversed()
  const versions = names('r', retainedVersions)
  const lines = names('l', json.lines)
  return {
    ...json,
    speakers: json.speakers.map((one, at) => ({ ...one, id: name('s', at) })),
    segments: retained.map((one, at) => ({
      ...one,
      id: name('g', at),
      readingId: one.readingId === null ? null : (versions.get(one.readingId) ?? null),
    })),
    readings: retainedVersions.map((one, at) => ({
      ...one,
      id: name('r', at),
      segmentId: segments.get(one.segmentId) ?? '',
    })),
    lines: json.lines.map((one, at) => ({
      ...one,
      id: name('l', at),
      segmentId: one.segmentId === null ? null : (segments.get(one.segmentId) ?? null),
      speakerId: speakers.get(one.speakerId) ?? first,
    })),
    bookmarks: json.bookmarks.map((one, at) => ({ ...one, id: name('b', at) })),
    // In the order of time, so that what they cover can be counted as they come.
    gaps: json.gaps
      .map((one, at) => ({ ...one, id: name('p', at) }))
      .toSorted((a, b) => a.startMs - b.startMs),
    summaries: json.summaries.toReversed().map((one, at) => ({
      ...one,
      id: name('y', at),
      points: one.points.map((point) => ({
        ...point,
        lineIds: point.lineIds.flatMap((line) => lines.get(line) ?? []),
      })),
    })),
  }
}
