import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Span } from '../../../../../shared/model/meeting.ts'
import {
  isAudio,
  type ChannelChoice,
  type ExportPreferences,
  type AudioFormat,
  type TextFormat,
} from './export-preferences.ts'

/** Options that apply to a format. */
interface OptionsOf {
  readonly speakers: boolean
  readonly timestamps: boolean
  readonly gaps: boolean
  readonly who: boolean
  readonly bom: boolean
  readonly range: boolean
}

const prose: OptionsOf = {
  speakers: true,
  timestamps: true,
  gaps: true,
  who: true,
  bom: false,
  range: true,
}
/** Captions consist of times, and have no place for a gap. */
const captions: OptionsOf = { ...prose, timestamps: false, gaps: false }
const options: Readonly<Record<TextFormat, OptionsOf>> = {
  txt: prose,
  md: prose,
  docx: prose,
  pdf: prose,
  srt: { ...captions, bom: true },
  vtt: captions,
  // Always complete, or it could not be imported again.
  json: {
    speakers: false,
    timestamps: false,
    gaps: false,
    who: false,
    bom: false,
    range: false,
  },
}

/** Returns the options of a format; audio has only a range. */
export const optionsOf = (format: ExportPreferences['format']): OptionsOf =>
  isAudio(format) ? { ...options.json, range: true } : options[format]

/** Choices that apply to this meeting only. */
export interface ExportScope {
  /** Null for all speakers. */
  readonly speakerIds: readonly string[] | null
  readonly range: Span | null
}

/** Returns the request for a text export, with only the options of its format. */
export function textRequest(
  id: string,
  format: TextFormat,
  preferences: ExportPreferences,
  scope: ExportScope,
  language: string,
): RequestOf<'meetings.export'> {
  const may = options[format]
  const { speakerIds, range } = scope
  return {
    id,
    format,
    language: language.startsWith('zh') ? 'zh' : 'en',
    options: {
      speakers: preferences.speakers,
      timestamps: preferences.timestamps,
      gaps: may.gaps && preferences.gaps,
      bom: may.bom && preferences.bom,
      ...(may.who && speakerIds && { speakerIds: [...speakerIds] }),
      ...(may.range && range && { range: whole(range) }),
    },
  }
}

/** Returns the request for an audio export; a meeting with one channel has only that. */
export function audioRequest(
  id: string,
  format: AudioFormat,
  wanted: ChannelChoice,
  channels: number,
  range: Span | null,
): RequestOf<'meetings.exportAudio'> {
  const channel = channels < 2 ? 0 : wanted
  return { id, format, channel, ...(range && { range: whole(range) }) }
}

/** Rounds a range drawn on a waveform to whole milliseconds. */
const whole = ({ startMs, endMs }: Span): { startMs: number; endMs: number } => ({
  startMs: Math.max(0, Math.floor(startMs)),
  endMs: Math.ceil(endMs),
})
