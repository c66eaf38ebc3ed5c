import type { ChannelRole, Speaker } from '../../../shared/model/meeting.ts'

/** Languages of the labels in exports; the transcript keeps its own language. */
export type ExportLanguage = 'en' | 'zh'

/** Texts that exports add to a transcript. */
export interface ExportLabels {
  readonly roles: Readonly<Record<ChannelRole, string>>
  readonly speaker: string
  readonly date: string
  readonly duration: string
  readonly participants: string
  readonly hotwords: string
  readonly gap: string
  readonly notTranscribed: string
  readonly transcript: string
  readonly bookmarks: string
  readonly notes: string
  readonly summary: string
  readonly transcribed: (percent: number) => string
  readonly gaps: (time: string) => string
  readonly failed: (count: number) => string
  readonly flagged: (count: number) => string
}

export const exportLabels: Readonly<Record<ExportLanguage, ExportLabels>> = {
  en: {
    roles: { mic: 'Me', others: 'Others', left: 'Left', right: 'Right', mono: 'Speaker' },
    speaker: 'Speaker',
    date: 'Date',
    duration: 'Duration',
    participants: 'Participants',
    hotwords: 'Hotwords',
    gap: 'no audio',
    notTranscribed: 'not transcribed',
    transcript: 'Transcript',
    bookmarks: 'Bookmarks',
    notes: 'Notes',
    summary: 'Summary',
    transcribed: (percent) => `${percent}% transcribed`,
    gaps: (time) => `Gaps: ${time}`,
    failed: (count) => `${count} not transcribed`,
    flagged: (count) => `${count} to review`,
  },
  zh: {
    roles: { mic: '我', others: '对方', left: '左声道', right: '右声道', mono: '说话人' },
    speaker: '说话人',
    date: '日期',
    duration: '时长',
    participants: '参与者',
    hotwords: '热词',
    gap: '中断',
    notTranscribed: '未转写',
    transcript: '文字稿',
    bookmarks: '书签',
    notes: '笔记',
    summary: '纪要',
    transcribed: (percent) => `已转写 ${percent}%`,
    gaps: (time) => `中断 ${time}`,
    failed: (count) => `未转写 ${count} 处`,
    flagged: (count) => `待核对 ${count} 处`,
  },
}

/** Returns a speaker's name: the one the user entered, else the label of the channel, else a number. */
export function speakerName(
  speaker: Speaker,
  channels: readonly ChannelRole[],
  words: ExportLabels,
): string {
  if (speaker.name !== '') return speaker.name
  const role = speaker.channel === null ? undefined : channels[speaker.channel]
  return role ? words.roles[role] : `${words.speaker} ${speaker.mark + 1}`
}
