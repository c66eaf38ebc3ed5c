import { onBeforeUnmount, ref, watch } from 'vue'
import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'

/** Announcement for screen readers: a key of the catalog, and a count where it has one. */
export interface Announcement {
  readonly key: 'begins' | 'writing' | 'finished' | 'stopped' | 'failed' | 'queued' | 'waiting'
  readonly words: number
  readonly message: ChatMessage
}

/** Milliseconds between two announcements that an answer is still being written. */
export const writingMs = 7000

const alone = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

/**
 * Role of characters in a word count, by code: 1 none, 2 a word of its own, 3 part of a word; 0 is not determined yet.
 */
const kinds = new Uint8Array(0x1_0000)

function kindOf(code: number): number {
  const known = kinds[code] ?? 0
  if (known !== 0) return known
  const sign = String.fromCodePoint(code)
  const kind = alone.test(sign) ? 2 : /\s/.test(sign) ? 1 : 3
  if (code < kinds.length) kinds[code] = kind
  return kind
}

/**
 * Counts the words of a text; in scripts without spaces each character is one. Reads each character once: an answer may
 * have millions.
 */
export function countWords(text: string): number {
  let words = 0
  let before = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0
    if (code > 0xffff) at += 1
    const kind = kindOf(code)
    if (kind === 2 || (kind === 3 && before !== 3)) words += 1
    before = kind
  }
  return words
}

/**
 * Announces the events of one chat's messages, one sentence each and never their text. Existing messages are not
 * announced. `stop` ends it.
 */
export function createSpeaker(say: (spoken: Announcement) => void) {
  const known = new Map<string, ChatMessage['state']>()
  let beat: ReturnType<typeof setInterval> | undefined
  let running: ChatMessage | null = null
  let begun = false

  const stop = (): void => {
    clearInterval(beat)
    beat = undefined
    running = null
  }
  const begin = (message: ChatMessage): void => {
    running = message
    beat ??= setInterval(() => {
      if (running) say({ key: 'writing', words: 0, message: running })
    }, writingMs)
  }
  const changed = (message: ChatMessage, before: ChatMessage['state'] | undefined): void => {
    if (message.role === 'user') {
      if (message.state === 'queued' || message.state === 'waiting')
        say({ key: message.state, words: 0, message })
      return
    }
    if (message.state === 'running') return say({ key: 'begins', words: 0, message })
    if (before !== 'running') return
    const key =
      message.state === 'done' ? 'finished' : message.state === 'stopped' ? 'stopped' : 'failed'
    say({ key, words: key === 'finished' ? countWords(message.text) : 0, message })
  }
  return {
    /** Updates the messages and announces their changes. */
    see(messages: readonly ChatMessage[]): void {
      for (const message of messages) {
        const before = known.get(message.id)
        if (before === message.state) continue
        known.set(message.id, message.state)
        // Ignores messages that were read from the store and are not new.
        const isNews = begun && (before !== undefined || message === messages.at(-1) || running)
        if (isNews) changed(message, before)
      }
      const now = messages.findLast(({ state }) => state === 'running') ?? null
      if (now) begin(now)
      else if (running) stop()
      begun = true
    },
    stop,
  }
}

/** Text of the status region: announces events of the chat for screen readers. */
export function useAnnouncements(id: () => string | null, messages: () => readonly ChatMessage[]) {
  const { t, number, failure } = useTranslation()
  const sentence = ref('')
  const make = () =>
    createSpeaker(({ key, words, message }) => {
      const what = message.error ? failure(message.error).what : ''
      sentence.value = t(`chatAnnouncements.${key}`, { n: number(words), what }, words)
    })
  let speaker = make()

  watch(id, () => {
    speaker.stop()
    speaker = make()
    sentence.value = ''
  })
  watch(messages, (now) => now.length > 0 && speaker.see(now), { immediate: true })
  onBeforeUnmount(() => speaker.stop())
  return { sentence }
}
