import { useTranslation } from '../../../i18n/use-translation.ts'

/** The label keys of the built-in templates' names. */
const builtIn: ReadonlyMap<string, string> = new Map([
  ['built-in-decisions', 'decisions'],
  ['built-in-topics', 'topics'],
])

/** The label keys of their headings, in both languages: a summary has those of its transcript’s language. */
const headings: ReadonlyMap<string, string> = new Map([
  ['Decisions', 'decisions'],
  ['决定', 'decisions'],
  ['Actions', 'actions'],
  ['待办事项', 'actions'],
  ['Open questions', 'openQuestions'],
  ['未决问题', 'openQuestions'],
  ['In short', 'inShort'],
  ['概要', 'inShort'],
  ['Topics', 'topics'],
  ['主题', 'topics'],
])

/** Returns the label key of a built-in template’s heading; undefined for one of the user. */
export const headingKey = (templateId: string, title: string): string | undefined =>
  builtIn.has(templateId) ? headings.get(title) : undefined

/** The displayed name of a template: built-in ones are translated. */
export function useTemplateName() {
  const { t } = useTranslation()
  return (template: { readonly id: string; readonly name: string }): string => {
    const key = builtIn.get(template.id)
    return key === undefined ? template.name : t(`summary.builtIn.${key}`)
  }
}
