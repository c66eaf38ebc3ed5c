/** A built-in voice. As with the provider, its row has no preview (service-notes 3). */
interface OfficialVoice {
  readonly voice: string
  readonly voice_name: string
  readonly voice_type: 'OFFICIAL'
}

/**
 * Documented voices. They are listed so that a client receives both kinds of rows; the on-device service cannot speak with
 * them.
 */
export const officialVoices: readonly OfficialVoice[] = [
  { voice: 'tongtong', voice_name: 'Tongtong', voice_type: 'OFFICIAL' },
  { voice: 'chuichui', voice_name: 'Chuichui', voice_type: 'OFFICIAL' },
  { voice: 'xiaochen', voice_name: 'Xiaochen', voice_type: 'OFFICIAL' },
]

/** IDs in the provider's documentation, listed here or not. */
export const officialIds: ReadonlySet<string> = new Set([
  'tongtong',
  'chuichui',
  'xiaochen',
  'jam',
  'kazi',
  'douji',
  'luodo',
])
