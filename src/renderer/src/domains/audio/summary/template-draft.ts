import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { SummaryTemplate } from '../../../../../shared/model/meeting.ts'

/** Limits of a template (the same as the bridge's). */
export const templateBounds = { sections: 12, title: 100, instruction: 2000 } as const

/** A heading that is being edited; the key identifies its row while rows move. */
export interface SectionDraft {
  readonly key: number
  readonly title: string
  readonly instruction: string
}

/** A template that is being edited; without an ID it is new. */
export interface TemplateDraft {
  readonly id: string | null
  readonly name: string
  readonly sections: readonly SectionDraft[]
}

/** A draft of a template: the user's own is edited, a built-in one is copied to a new one. */
export function draftOf(template: SummaryTemplate | null, name: string): TemplateDraft {
  const sections = template?.sections ?? [{ title: '', instruction: '' }]
  return {
    id: template && !template.builtIn ? template.id : null,
    name: template && !template.builtIn ? template.name : name,
    sections: sections.map(({ title, instruction }, key) => ({ key, title, instruction })),
  }
}

/** The draft with one more heading, unless the maximum is reached. */
export function withSection(draft: TemplateDraft): TemplateDraft {
  if (draft.sections.length >= templateBounds.sections) return draft
  const key = Math.max(-1, ...draft.sections.map((one) => one.key)) + 1
  return { ...draft, sections: [...draft.sections, { key, title: '', instruction: '' }] }
}

/** The draft without a heading; the last one stays. */
export const withoutSection = (draft: TemplateDraft, key: number): TemplateDraft =>
  draft.sections.length < 2
    ? draft
    : { ...draft, sections: draft.sections.filter((one) => one.key !== key) }

/** The draft with a heading moved one position up or down, if possible. */
export function moved(draft: TemplateDraft, key: number, by: -1 | 1): TemplateDraft {
  const from = draft.sections.findIndex((one) => one.key === key)
  const section = draft.sections[from]
  const to = from + by
  if (!section || to < 0 || to >= draft.sections.length) return draft
  return { ...draft, sections: draft.sections.toSpliced(from, 1).toSpliced(to, 0, section) }
}

/** The draft with changed text of one heading. */
export const changed = (
  draft: TemplateDraft,
  key: number,
  patch: Partial<Pick<SectionDraft, 'title' | 'instruction'>>,
): TemplateDraft => ({
  ...draft,
  sections: draft.sections.map((one) => (one.key === key ? { ...one, ...patch } : one)),
})

/** Whether it is complete: a name, and a title and an instruction for each heading. */
export const isWhole = ({ name, sections }: TemplateDraft): boolean =>
  name.trim() !== '' &&
  sections.every(({ title, instruction }) => title.trim() !== '' && instruction.trim() !== '')

/** The draft as a request to main. */
export const templateRequest = (
  draft: TemplateDraft,
): RequestOf<'meetings.saveTemplate'>['template'] => ({
  ...(draft.id !== null && { id: draft.id }),
  name: draft.name.trim(),
  sections: draft.sections.map(({ title, instruction }) => ({
    title: title.trim(),
    instruction: instruction.trim(),
  })),
})
