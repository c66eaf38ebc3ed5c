import type { ChannelRole, Meeting, Speaker } from '../../../../../shared/model/meeting.ts'
import { series } from '../../../kit/theme.ts'

/** Colors of speakers; the last of the series is for the remainder, not for a person. */
const colors = series.slice(0, -1)
/** Shapes in addition to the colors, for color-blind users; their number is coprime to that of the colors. */
const shapes = ['disc', 'square', 'diamond', 'triangle', 'ring'] as const

/** Shape of a speaker's mark. */
type SpeakerShape = (typeof shapes)[number]

/** Visual style of a speaker. */
export interface SpeakerStyle {
  readonly id: string
  readonly name: string
  readonly shape: SpeakerShape
  /** CSS color for both themes. */
  readonly color: string
  readonly light: string
  readonly dark: string
}

/** Returns the style of a mark by its index. */
export function markStyle(mark: number): Pick<SpeakerStyle, 'shape' | 'color' | 'light' | 'dark'> {
  const [light, dark] = colors[mark % colors.length] ?? ['#3154b8', '#9db4ff']
  const shape = shapes[mark % shapes.length] ?? 'disc'
  return { shape, light, dark, color: `light-dark(${light}, ${dark})` }
}

/** Returns the styles of all speakers by ID; a speaker without a name gets the label of its channel. */
export function speakerStyles(
  { speakers, channels }: Pick<Meeting, 'speakers' | 'channels'>,
  words: { role(role: ChannelRole): string; unnamed(n: number): string },
): ReadonlyMap<string, SpeakerStyle> {
  const nameOf = ({ name, channel, mark }: Speaker): string => {
    if (name !== '') return name
    const role = channel === null ? undefined : channels[channel]
    return role ? words.role(role) : words.unnamed(mark + 1)
  }
  return new Map(
    speakers.map((one) => [one.id, { id: one.id, name: nameOf(one), ...markStyle(one.mark) }]),
  )
}

/** Returns the mark of a channel: that of the speaker created with it. */
export function channelMark(speakers: readonly Speaker[], channel: number): number {
  return speakers.find((one) => one.channel === channel)?.mark ?? channel
}
