import { useTranslation } from '../../i18n/use-translation.ts'

/** The built-in templates by the keys of their names. */
const builtIn: ReadonlyMap<string, string> = new Map([
  ['built-in-decisions', 'decisions'],
  ['built-in-topics', 'topics'],
])

/** The name a template is shown under: the built-in ones are named in the reader's language. */
export function useTemplateName() {
  const { t } = useTranslation()
  return (template: { readonly id: string; readonly name: string }): string => {
    const key = builtIn.get(template.id)
    return key === undefined ? template.name : t(`summary.builtIn.${key}`)
  }
}
