import type { Transcript } from '../../../../../shared/model/library.ts'

/** Localization functions that the labels need. */
export interface VersionWriter {
  t(key: string, named: Record<string, unknown>): string
  /** Date and time to the second. */
  moment(at: number): string
}

/** Labels that identify a version: time, whether it is the newest, its problem; then the engine. */
export function versionLabels(
  version: Transcript,
  newest: boolean,
  { t, moment }: VersionWriter,
): { readonly time: string; readonly rest: readonly string[] } {
  const time = moment(version.createdAt)
  const marks = {
    complete: [],
    partial: [t('recording.unfinished', {})],
    'no-speech': [t('recording.speechless', {})],
  }
  return {
    time: newest ? t('recording.newest', { time }) : time,
    rest: [...marks[version.state], ...(version.model === '' ? [] : [version.model])],
  }
}
