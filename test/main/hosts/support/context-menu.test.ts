import { describe, expect, test } from 'vitest'
import {
  contextMenu,
  type ContextLine,
  type ContextTarget,
} from '../../../../src/main/hosts/support/context-menu.ts'
import { spellingLanguages } from '../../../../src/main/hosts/support/spelling.ts'

const nothing: ContextTarget = {
  linkURL: '',
  selectionText: '',
  isEditable: false,
  mediaType: 'none',
  hasImageContents: false,
  misspelledWord: '',
  dictionarySuggestions: [],
  editFlags: {
    canUndo: false,
    canRedo: false,
    canCut: false,
    canCopy: true,
    canPaste: true,
    canSelectAll: true,
  },
}
const named = (line: ContextLine): string =>
  line.kind === 'separator' ? '-' : line.kind === 'role' ? line.role : line.label
const menu = (
  change: Partial<ContextTarget>,
  platform = 'linux',
  language: 'en' | 'zh-CN' = 'en',
): readonly string[] =>
  contextMenu({ ...nothing, ...change }, { platform, language }).map((line) => named(line))

describe('the context menu', () => {
  test('is empty where nothing was clicked', () => {
    expect(menu({})).toEqual([])
    expect(menu({ linkURL: 'app://bundle/#/library' })).toEqual([])
    expect(menu({ linkURL: 'javascript:alert(1)' })).toEqual([])
    expect(menu({ mediaType: 'image' })).toEqual([])
  })

  test('offers the actions of the clicked element', () => {
    expect(menu({ selectionText: 'words' })).toEqual(['copy'])
    expect(menu({ linkURL: 'https://example.com/' })).toEqual(['Copy Link'])
    expect(menu({ mediaType: 'image', hasImageContents: true })).toEqual(['Copy Image'])
    expect(menu({ selectionText: 'words', linkURL: 'https://example.com/' })).toEqual([
      'Copy Link',
      '-',
      'copy',
    ])
    expect(menu({ isEditable: true })).toEqual([
      'undo',
      'redo',
      '-',
      'cut',
      'copy',
      'paste',
      '-',
      'selectAll',
    ])
  })

  test('offers only the available editing actions', () => {
    const lines = contextMenu(
      { ...nothing, isEditable: true },
      { platform: 'linux', language: 'en' },
    )
    const enabled = lines.flatMap((line) =>
      line.kind === 'role' && line.enabled ? [line.role] : [],
    )
    expect(enabled).toEqual(['copy', 'paste', 'selectAll'])
  })

  test('looks up words on macOS, truncated at character boundaries', () => {
    expect(menu({ selectionText: ' a  word ' }, 'darwin')).toEqual([
      'Look Up “a word”',
      '-',
      'copy',
    ])
    const long = '😀'.repeat(40)
    expect(menu({ selectionText: long }, 'darwin')[0]).toBe(`Look Up “${'😀'.repeat(24)}…”`)
    expect(menu({ selectionText: '词' }, 'darwin', 'zh-CN')[0]).toBe('查询“词”')
  })

  test('suggests five words for a misspelled one, and can add it to the dictionary', () => {
    const dictionarySuggestions = ['a', 'b', 'c', 'd', 'e', 'f']
    const wrong = { isEditable: true, misspelledWord: 'x', dictionarySuggestions }
    expect(menu(wrong).slice(0, 7)).toEqual(['a', 'b', 'c', 'd', 'e', 'Add to Dictionary', '-'])
    expect(menu({ ...wrong, dictionarySuggestions: [] }).slice(0, 2)).toEqual([
      'No Suggestions',
      'Add to Dictionary',
    ])
    expect(menu({ ...wrong, isEditable: false })).toEqual([])
  })
})

describe('spell checking', () => {
  const available = ['de', 'en-GB', 'en-US', 'fr', 'es-419', 'es']
  const languages = (
    platform: string,
    language: 'en' | 'zh-CN',
    ...preferred: string[]
  ): readonly string[] | null => spellingLanguages({ platform, language, preferred, available })

  test('uses detected languages on macOS, and is off on Linux: no dictionary is downloaded', () => {
    expect(languages('darwin', 'en', 'en-US')).toBeNull()
    expect(languages('linux', 'en', 'en-US')).toEqual([])
  })

  test('uses the app language on Windows, then those of the user', () => {
    expect(languages('win32', 'en', 'de-DE', 'en-GB')).toEqual(['en-GB', 'de'])
    expect(languages('win32', 'en')).toEqual(['en-GB'])
    expect(languages('win32', 'zh-CN', 'zh-Hans-CN', 'de-AT')).toEqual(['de', 'en-US'])
    expect(languages('win32', 'en', 'en-AU', 'es-MX', 'fr-CA', 'de-CH')).toEqual([
      'en-GB',
      'es-419',
      'fr',
    ])
  })
})
