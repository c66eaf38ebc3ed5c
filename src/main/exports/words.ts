import type { ChannelRole, Speaker } from '../../shared/model/meeting.ts'

/** Languages an export can speak; the transcript itself stays as it was said. */
export type ExportLanguage = 'en' | 'zh'

/** The few words that exports add to a transcript. */
export interface ExportWords {
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
  readonly completeness: (numbers: {
    readonly written: string
    readonly transcribed: string
    readonly flagged: number
    readonly failed: number
    readonly gaps: string
  }) => string
}

/** The words by language. */
export const exportWords: Readonly<Record<ExportLanguage, ExportWords>> = {
  en: {
    roles: { mic: 'Me', others: 'Others', left: 'Left', right: 'Right', mono: 'Speaker' },
    speaker: 'Speaker',
    date: 'Date',
    duration: 'Duration',
    participants: 'Participants',
    hotwords: 'Hotwords',
    gap: 'no sound',
    notTranscribed: 'not transcribed',
    transcript: 'Transcript',
    bookmarks: 'Bookmarks',
    notes: 'Notes',
    summary: 'Summary',
    completeness: ({ written, transcribed, flagged, failed, gaps }) =>
      `Written ${written}, transcribed ${transcribed}, gaps ${gaps}, not transcribed: ${failed}, to check: ${flagged}`,
  },
  zh: {
    roles: { mic: '我', others: '其他人', left: '左声道', right: '右声道', mono: '说话人' },
    speaker: '说话人',
    date: '日期',
    duration: '时长',
    participants: '参与者',
    hotwords: '热词',
    gap: '无声音',
    notTranscribed: '未转写',
    transcript: '转写稿',
    bookmarks: '书签',
    notes: '笔记',
    summary: '纪要',
    completeness: ({ written, transcribed, flagged, failed, gaps }) =>
      `已写入 ${written}，已转写 ${transcribed}，空缺 ${gaps}，未转写 ${failed} 处，待核对 ${flagged} 处`,
  },
}

/** What a speaker is called: the name somebody gave, else the word of the channel, else a number. */
export function speakerName(
  speaker: Speaker,
  channels: readonly ChannelRole[],
  words: ExportWords,
): string {
  if (speaker.name !== '') return speaker.name
  const role = speaker.channel === null ? undefined : channels[speaker.channel]
  return role ? words.roles[role] : `${words.speaker} ${speaker.mark + 1}`
}
