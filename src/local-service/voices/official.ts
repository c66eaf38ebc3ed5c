/** A voice that the service itself brings; as there, its row has no preview (service-notes 3). */
export interface OfficialVoice {
  readonly voice: string
  readonly voice_name: string
  readonly voice_type: 'OFFICIAL'
}

/** Documented voices. They are listed so that a caller meets rows of both kinds; this computer cannot speak with them. */
export const officialVoices: readonly OfficialVoice[] = [
  { voice: 'tongtong', voice_name: 'Tongtong', voice_type: 'OFFICIAL' },
  { voice: 'chuichui', voice_name: 'Chuichui', voice_type: 'OFFICIAL' },
  { voice: 'xiaochen', voice_name: 'Xiaochen', voice_type: 'OFFICIAL' },
]

/** Ids that the documentation names, listed here or not. */
export const officialIds: ReadonlySet<string> = new Set([
  'tongtong',
  'chuichui',
  'xiaochen',
  'jam',
  'kazi',
  'douji',
  'luodo',
])
