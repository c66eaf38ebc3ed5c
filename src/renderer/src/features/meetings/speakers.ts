import type { ChannelRole, Meeting, Speaker } from '../../../../shared/model/meeting.ts'
import { series } from '../../ui/theme.ts'

/** Colours speakers are told apart by; the last of the series is for what is left, not for a person. */
const colors = series.slice(0, -1)
/** Shapes beside the colours, for who does not see the difference; their number and that of the colours share no divisor with each other. */
const shapes = ['disc', 'square', 'diamond', 'triangle', 'ring'] as const

/** Shape of a speaker's mark. */
export type SpeakerShape = (typeof shapes)[number]

/** How a speaker is shown. */
export interface SpeakerStyle {
  readonly id: string
  readonly name: string
  readonly shape: SpeakerShape
  /** A CSS colour for both themes. */
  readonly color: string
  readonly light: string
  readonly dark: string
}

/** The look of a mark by its place in the list. */
export function markStyle(mark: number): Pick<SpeakerStyle, 'shape' | 'color' | 'light' | 'dark'> {
  const [light, dark] = colors[mark % colors.length] ?? ['#3154b8', '#9db4ff']
  const shape = shapes[mark % shapes.length] ?? 'disc'
  return { shape, light, dark, color: `light-dark(${light}, ${dark})` }
}

/** Looks of all speakers by their ids; a speaker without a name is called by the word of its channel. */
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

/** The look of a channel: that of the speaker it was made with. */
export function channelMark(speakers: readonly Speaker[], channel: number): number {
  return speakers.find((one) => one.channel === channel)?.mark ?? channel
}
