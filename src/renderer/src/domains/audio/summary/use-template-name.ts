import { useTranslation } from '../../../i18n/use-translation.ts'

/** The label keys of the built-in templates' names. */
const builtIn: ReadonlyMap<string, string> = new Map([
  ['built-in-decisions', 'decisions'],
  ['built-in-topics', 'topics'],
])

/** The displayed name of a template: built-in ones are translated. */
export function useTemplateName() {
  const { t } = useTranslation()
  return (template: { readonly id: string; readonly name: string }): string => {
    const key = builtIn.get(template.id)
    return key === undefined ? template.name : t(`summary.builtIn.${key}`)
  }
}
