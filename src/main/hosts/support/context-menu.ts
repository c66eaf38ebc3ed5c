import { checkExternalUrl } from '../../platform/security/external-url.ts'
import type { Language } from '../../../shared/language.ts'

/** Target of a click, as Electron describes it (`ContextMenuParams`). */
export interface ContextTarget {
  readonly linkURL: string
  readonly selectionText: string
  readonly isEditable: boolean
  readonly mediaType: string
  readonly hasImageContents: boolean
  readonly misspelledWord: string
  readonly dictionarySuggestions: readonly string[]
  readonly editFlags: Readonly<Record<EditFlag, boolean>>
}

type EditFlag = 'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'

/** Editing commands of the system. */
type EditRole = 'undo' | 'redo' | 'cut' | 'copy' | 'paste' | 'selectAll'

/** An entry of a context menu. */
export type ContextLine =
  | { readonly kind: 'separator' }
  | {
      readonly kind: 'role'
      readonly role: EditRole
      readonly label: string
      readonly enabled: boolean
    }
  /** Replaces the misspelled word with this one. */
  | { readonly kind: 'replace'; readonly label: string }
  | { readonly kind: 'none'; readonly label: string }
  | { readonly kind: 'learn'; readonly label: string; readonly word: string }
  | { readonly kind: 'look-up' | 'copy-image'; readonly label: string }
  | { readonly kind: 'copy-link'; readonly label: string; readonly url: string }

const labels = {
  en: {
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    noGuesses: 'No Suggestions',
    learn: 'Add to Dictionary',
    lookUp: (text: string) => `Look Up “${text}”`,
    copyLink: 'Copy Link',
    copyImage: 'Copy Image',
  },
  'zh-CN': {
    undo: '撤销',
    redo: '重做',
    cut: '剪切',
    copy: '复制',
    paste: '粘贴',
    selectAll: '全选',
    noGuesses: '无拼写建议',
    learn: '添加到词典',
    lookUp: (text: string) => `查询“${text}”`,
    copyLink: '复制链接',
    copyImage: '复制图片',
  },
} as const

/** Maximum number of spelling suggestions, and of displayed characters of a selection. */
const max = { suggestions: 5, characters: 25 } as const

const needs: Readonly<Record<EditRole, EditFlag>> = {
  undo: 'canUndo',
  redo: 'canRedo',
  cut: 'canCut',
  copy: 'canCopy',
  paste: 'canPaste',
  selectAll: 'canSelectAll',
}

/** Returns the context menu of a target; empty if there is nothing to offer. */
export function contextMenu(
  target: ContextTarget,
  options: { readonly platform: string; readonly language: Language },
): readonly ContextLine[] {
  const texts = labels[options.language]
  const selection = target.selectionText.trim()
  const role = (name: EditRole): ContextLine => ({
    kind: 'role',
    role: name,
    label: texts[name],
    enabled: target.editFlags[needs[name]],
  })
  const link = checkExternalUrl(target.linkURL)
  const isImage = target.mediaType === 'image' && target.hasImageContents
  const groups: readonly (readonly ContextLine[])[] = [
    spelling(target, texts),
    options.platform === 'darwin' && selection !== ''
      ? [{ kind: 'look-up', label: texts.lookUp(shortened(selection)) }]
      : [],
    [
      ...(link.ok ? [{ kind: 'copy-link', label: texts.copyLink, url: link.url } as const] : []),
      ...(isImage ? [{ kind: 'copy-image', label: texts.copyImage } as const] : []),
    ],
    target.isEditable ? [role('undo'), role('redo')] : [],
    target.isEditable
      ? [role('cut'), role('copy'), role('paste')]
      : selection === ''
        ? []
        : [role('copy')],
    target.isEditable ? [role('selectAll')] : [],
  ]
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, at) => (at === 0 ? group : [{ kind: 'separator' } as const, ...group]))
}

function spelling(
  { isEditable, misspelledWord, dictionarySuggestions }: ContextTarget,
  texts: (typeof labels)[Language],
): readonly ContextLine[] {
  if (!isEditable || misspelledWord === '') return []
  const words = dictionarySuggestions.slice(0, max.suggestions)
  return [
    ...(words.length === 0
      ? [{ kind: 'none', label: texts.noGuesses } as const]
      : words.map((label) => ({ kind: 'replace', label }) as const)),
    { kind: 'learn', label: texts.learn, word: misspelledWord },
  ]
}

function shortened(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ')]
  if (characters.length <= max.characters) return characters.join('')
  return `${characters.slice(0, max.characters - 1).join('')}…`
}
