import type { AnswerLabels } from './stream-context.ts'

/** Code with its language above it, and a copy button. */
interface CodeFrame {
  readonly element: HTMLElement
  readonly code: HTMLElement
}

/** Creates an empty frame; the language is shown as written. */
export function codeFrame(language: string, words: AnswerLabels): CodeFrame {
  const element = document.createElement('div')
  element.className = 'md-code'
  element.dataset['lang'] = language
  const head = document.createElement('div')
  head.className = 'md-code-head'
  const name = document.createElement('span')
  name.className = 'md-code-name'
  name.textContent = language
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'md-copy'
  copy.dataset['act'] = 'copy'
  copy.textContent = words.copy
  const fold = document.createElement('button')
  fold.type = 'button'
  fold.className = 'md-fold'
  fold.dataset['act'] = 'fold'
  fold.setAttribute('aria-expanded', 'true')
  fold.textContent = words.fold
  head.append(name, fold, copy)
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.setAttribute('role', 'region')
  pre.setAttribute('aria-label', language === '' ? words.code : `${words.code}: ${language}`)
  const code = document.createElement('code')
  pre.append(code)
  element.append(head, pre)
  return { element, code }
}
