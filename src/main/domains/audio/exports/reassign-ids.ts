import type { MeetingJson } from '../../../../shared/contract/meeting-json.ts'

/**
 * Returns the same meeting with new IDs that begin with `prefix`, so that the same JSON can be imported twice. IDs of a kind
 * grow with their position, so that their rows are stored adjacently. Dangling references are fixed: a line of an unknown
 * speaker gets the first speaker (or an empty one if there is none); versions of unknown segments and segments at an occupied
 * position are left out.
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
  // The newest comes first, and rows are sorted by age.
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
    // In order of time, so that their coverage can be counted in one pass.
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
