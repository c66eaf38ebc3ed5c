import type { RequestOf } from '../../../../shared/bridge/routes.ts'
import type { Span } from '../../../../shared/model/meeting.ts'
import {
  isAudio,
  type ChannelChoice,
  type ExportPreferences,
  type AudioFormat,
  type TextFormat,
} from './preferences.ts'

/** Which of the options mean anything in a format. */
export interface OptionsOf {
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
/** Captions are nothing but times, and have no place for a hole. */
const captions: OptionsOf = { ...prose, timestamps: false, gaps: false }
const options: Readonly<Record<TextFormat, OptionsOf>> = {
  txt: prose,
  md: prose,
  docx: prose,
  srt: { ...captions, bom: true },
  vtt: captions,
  // Whole, or it could not be read in again.
  json: {
    speakers: false,
    timestamps: false,
    gaps: false,
    who: false,
    bom: false,
    range: false,
  },
}

/** The options of a format; sound has a stretch alone. */
export const optionsOf = (format: ExportPreferences['format']): OptionsOf =>
  isAudio(format) ? { ...options.json, range: true } : options[format]

/** What is chosen for this meeting alone. */
export interface ExportScope {
  /** Null for everybody. */
  readonly speakerIds: readonly string[] | null
  readonly range: Span | null
}

/** The request for a text, with nothing that its format does not know. */
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

/** The request for sound; a meeting of one channel has only that. */
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

/** A stretch drawn on a waveform may end between two milliseconds. */
const whole = ({ startMs, endMs }: Span): { startMs: number; endMs: number } => ({
  startMs: Math.max(0, Math.floor(startMs)),
  endMs: Math.ceil(endMs),
})
