import type { AnswerLanguage } from './language.ts'
import { sentencesOf } from './sentences.ts'

/** The sections of a prompt, in the order they are written. */
const sections = ['role', 'task', 'context', 'format'] as const

type Section = (typeof sections)[number]

const names: Readonly<Record<AnswerLanguage, Readonly<Record<Section, string>>>> = {
  en: { role: 'Role', task: 'Task', context: 'Context', format: 'Format' },
  zh: { role: '角色', task: '任务', context: '背景', format: '格式' },
}

const missing: Readonly<Record<AnswerLanguage, string>> = {
  en: '(not in your text)',
  zh: '（你的文字没有提到）',
}

const role = /^(?:you are|act as|as an? |imagine you|你是|作为|扮演|假设你)/i
const format =
  /\b(?:words?|sentences?|paragraphs?|bullets?|list|table|json|markdown|csv|tone|style|format|at most|no more than|under \d+|in (?:english|chinese|french|german|spanish))\b|字以内|不超过|表格|列表|格式|风格|语气|用(?:中文|英文)/i
const task =
  /^(?:please\s+)?(?:write|make|create|draft|explain|summari[sz]e|translate|list|find|compare|describe|give|tell|help|check|rewrite|plan|suggest|answer|generate|design|review)\b|^(?:请|帮我|写|翻译|总结|解释|列出|生成|设计|比较)|[?？]$/i

/** Returns the section to which a sentence of a prompt belongs. */
function sectionOf(sentence: string): Section {
  if (role.test(sentence)) return 'role'
  if (task.test(sentence)) return 'task'
  return format.test(sentence) ? 'format' : 'context'
}

/** Sorts a request into role, task, context and format; its wording stays unchanged, and missing sections are marked. */
export function structuredPrompt(text: string, language: AnswerLanguage): string {
  const sorted = new Map<Section, string[]>(sections.map((section) => [section, []]))
  for (const sentence of sentencesOf(text)) sorted.get(sectionOf(sentence))?.push(sentence)
  // There is always a task: without a verb that indicates it, it is the first sentence.
  const tasks = sorted.get('task') ?? []
  if (tasks.length === 0) {
    const first = sorted.get('context')?.shift() ?? sorted.get('format')?.shift()
    if (first !== undefined) tasks.push(first)
  }
  return sections
    .map((section) => {
      const lines = sorted.get(section) ?? []
      const body =
        lines.length > 0 ? lines.map((line) => `- ${line}`).join('\n') : missing[language]
      return `## ${names[language][section]}\n${body}`
    })
    .join('\n\n')
}
