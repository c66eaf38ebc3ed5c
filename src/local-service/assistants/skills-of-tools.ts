import { engineNames } from '../../shared/service/engine-names.ts'
import { engineNotices } from '../../shared/service/engine-notices.ts'
import { readSheet } from '../../shared/slicing/read-sheet.ts'
import { findSum, shown } from './calculator.ts'
import { checkGrammar } from './grammar.ts'
import { flowchart, isOutline, mindMap } from './mermaid.ts'
import { flattened, outlineOf, withoutLeadIn } from './outline.ts'
import type { Passage } from '../../shared/slicing/types.ts'
import { drawTextImage } from './text-image.ts'
import { structuredPrompt } from './prompt-sections.ts'
import { interpreterCall } from './skill.ts'
import type { Ask, Skill, SkillAnswer, ToolCall } from './skill.ts'
import { quoteEverything } from './skills-of-sources.ts'
import { pastedTable, statisticsLog, tableStatistics } from './table.ts'
import { toolLabels } from './tool-labels.ts'

const rowsIn = (table: string): readonly Passage[] =>
  Array.from(readSheet(table, 'table')).filter((row) => row !== null)

function tableAnswers({ question, attachments }: Ask): readonly ToolCall[] {
  const pasted = pastedTable(question)
  const tables = [
    ...attachments.map(({ name, passages }) => ({ name, rows: passages })),
    ...(pasted === undefined ? [] : [{ name: 'table', rows: rowsIn(pasted) }]),
  ]
  return tables.flatMap(({ name, rows }) => {
    const statistics = tableStatistics(rows)
    return statistics.length > 0
      ? [
          interpreterCall(
            `statistics of "${name}" (${rows.length} rows)`,
            statisticsLog(statistics),
          ),
        ]
      : []
  })
}

const logsOf = (call: ToolCall): string => {
  const { outputs } = call['code_interpreter'] as { outputs: readonly { logs: string }[] }
  return outputs.map(({ logs }) => logs).join('\n')
}

/** Evaluates an expression, and computes statistics of tables; quotes for any other question. */
export const analyse: Skill = async (ask) => {
  const words = toolLabels[ask.language]
  const tables = tableAnswers(ask)
  const sum = tables.length > 0 ? undefined : findSum(ask.question)
  const result = sum ? (sum.value === null ? words.noSum : shown(sum.value)) : ''
  const calls = sum ? [interpreterCall(sum.text, result)] : tables
  if (calls.length === 0) return quoteEverything(ask)
  const calculation =
    sum?.value === null ? `${sum.text}: ${result}` : `${sum?.text ?? ''} = ${result}`
  const lines = sum ? [calculation] : calls.map(logsOf)
  return {
    text: `${lines.join('\n\n')}\n\n${words.calculated}`,
    toolCalls: calls,
    engine: engineNames.calculator,
    notice: engineNotices.sumsOnly,
  }
}

/** Converts an outline to Mermaid text; explains how to write one if there is none. */
const diagram =
  (kind: 'flowchart' | 'mindMap'): Skill =>
  async ({ question, language }) => {
    const words = toolLabels[language]
    const outline = outlineOf(withoutLeadIn(question))
    const notice = engineNotices.outlineDrawn
    const engine = engineNames.outlineReader
    if (!isOutline(outline)) return { text: words.writeOutline, toolCalls: [], engine, notice }
    const text = kind === 'flowchart' ? flowchart(outline) : mindMap(outline, words.everything)
    return {
      text: `\`\`\`mermaid\n${text}\n\`\`\`\n\n${words.drawn}`,
      toolCalls: [interpreterCall('outline to Mermaid', `${flattened(outline).length} entries`)],
      engine,
      notice,
    }
  }

export const drawFlowchart = diagram('flowchart')

export const drawMindMap = diagram('mindMap')

/** Draws an image with the text on it. */
export const drawImage: Skill = async ({ question, language, context }) => {
  const image = await context.media.put(await drawTextImage(question), 'png')
  return {
    text: toolLabels[language].image,
    toolCalls: [{ type: 'drawing_tool', drawing_tool: { input: question, outputs: [{ image }] } }],
    engine: engineNames.wordDrawing,
    notice: engineNotices.wordsDrawn,
  }
}

/** Returns the slides of a presentation as text. */
export const outlineSlides: Skill = async ({ question, language }) => {
  const words = toolLabels[language]
  const outline = outlineOf(withoutLeadIn(question))
  const notice = engineNotices.outlinePages
  const engine = engineNames.outlineReader
  if (!isOutline(outline)) return { text: words.writeOutline, toolCalls: [], engine, notice }
  const pages = outline.length === 1 ? (outline[0]?.children ?? []) : outline
  const title = outline.length === 1 ? `# ${outline[0]?.text}\n\n` : ''
  const body = pages.map(({ text, children }) =>
    [`## ${text}`, ...flattened(children).map((child) => `- ${child.text}`)].join('\n'),
  )
  return {
    text: `${title}${body.join('\n\n---\n\n')}`,
    toolCalls: [interpreterCall('outline to pages', `${pages.length} pages`)],
    engine,
    notice,
  }
}

/** Sorts a request into prompt sections. */
export const engineerPrompt: Skill = async ({ question, language }) => ({
  text: `${structuredPrompt(question, language)}\n\n${toolLabels[language].sorted}`,
  toolCalls: [],
  engine: engineNames.rules,
  notice: engineNotices.sentencesSorted,
})

/** Marks definite errors. */
export const correctGrammar: Skill = async ({ question, language }): Promise<SkillAnswer> => {
  const words = toolLabels[language]
  const { errors, corrected } = checkGrammar(question)
  const lines = errors.map(({ found, correction, why }) => `- “${found}” → “${correction}”: ${why}`)
  const text =
    errors.length > 0
      ? [`${words.corrected}\n\n${corrected}`, lines.join('\n'), words.onlyCertain].join('\n\n')
      : `${words.noErrors} ${words.onlyCertain}`
  return {
    text,
    toolCalls: [],
    engine: engineNames.rules,
    notice: engineNotices.fewRules,
  }
}
