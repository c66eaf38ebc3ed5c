import { computed, ref, watch } from 'vue'
import type { VoiceSample } from '../../../../../../shared/model/sample.ts'
import { useTranslation } from '../../../../i18n/use-translation.ts'
import { useVoices } from '../voices-store.ts'

/** Reason why a sample cannot be cloned yet. */
type Obstacle = 'consent' | 'length' | 'speech' | 'name' | 'input'

/** Letters of any script, digits, `_` and `-`: characters known to be accepted by the provider (service-notes 3). */
export const voiceNamePattern = /^[\p{L}\p{N}_-]{1,64}$/u

/** A valid name, derived from any title. */
export const suggestedName = (title: string): string =>
  title
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40)

/** The first variant of this name that no voice has. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}_${n}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

/** Whether the account could not clone the sample the last time, because its provider doesn't offer it. */
export function lacksCloning(
  { clones }: Pick<VoiceSample, 'clones'>,
  accountId: string | undefined,
): boolean {
  const last = clones.find((clone) => clone.accountId === accountId)
  return last?.state === 'failed' && last.error?.code === 'NOT_IMPLEMENTED'
}

/**
 * Returns the chosen lines after one is clicked: `taken` are the chosen ones and those in between. One within it ends the
 * range before it, and the first one only leaves it.
 */
export function toggledRange(
  chosen: readonly string[],
  taken: readonly string[],
  id: string,
): readonly string[] {
  const at = taken.indexOf(id)
  if (at === -1) return [...chosen, id]
  return at === 0 ? taken.slice(1) : taken.slice(0, at)
}

/** The form of a clone: its input, and why it cannot be sent yet. */
export function useCloneForm(sample: () => VoiceSample) {
  const voices = useVoices()
  const { t } = useTranslation()
  const taken = computed(
    () =>
      new Set(
        voices.voices.filter(({ goneAt }) => goneAt === null).map(({ name }) => name.toLowerCase()),
      ),
  )
  const suggest = (): string => freeName(suggestedName(sample().title) || 'voice', taken.value)
  const form = ref({ voiceName: suggest(), input: '' })
  const sampleText = computed(() => sample().text.text)
  let suggested = form.value.voiceName
  let spoken = ''

  // Untouched fields follow their suggestion: the same text in both makes them easy to compare.
  watch(
    [() => sample().title, taken],
    () => {
      if (form.value.voiceName !== suggested) return
      suggested = suggest()
      form.value.voiceName = suggested
    },
    { immediate: true },
  )
  watch(
    sampleText,
    (text) => {
      const next = (text || t('voices.sentence')).slice(0, 1000)
      if (form.value.input === spoken) form.value.input = next
      spoken = next
    },
    { immediate: true },
  )

  const problem = computed(() => {
    const name = form.value.voiceName.trim()
    if (name === '') return ''
    if (!voiceNamePattern.test(name)) return t('cloning.nameHint')
    return taken.value.has(name.toLowerCase()) ? t('cloning.nameTaken') : ''
  })
  const obstacles = computed<readonly Obstacle[]>(() => {
    const { consent, report } = sample()
    const bad = (name: string): boolean =>
      report.checks.some((check) => check.name === name && check.state === 'bad')
    return [
      ...(bad('length') ? (['length'] as const) : []),
      ...(report.checks.some(({ reason }) => reason === 'silent') ? (['speech'] as const) : []),
      ...(consent ? [] : (['consent'] as const)),
      ...(form.value.voiceName.trim() === '' || problem.value !== '' ? (['name'] as const) : []),
      ...(form.value.input.trim() === '' ? (['input'] as const) : []),
    ]
  })
  const order = computed(() => ({
    voiceName: form.value.voiceName.trim(),
    input: form.value.input.trim(),
  }))
  return { form, problem, obstacles, order }
}
