import { readTranscriptText } from '../../shared/audio/transcript-text.ts'
import type { AssistantPurpose } from '../../shared/provider/assistants.ts'
import { readDocumentQuestions } from '../../shared/provider/document-question.ts'
import { engineNames } from '../../shared/provider/engine-names.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { readSheet } from '../../shared/knowledge/slicing/read-sheet.ts'
import { DocumentFailure, type Passage } from '../../shared/knowledge/slicing/types.ts'
import { readDocument } from '../knowledge/readers/index.ts'
import { passagesByPage } from './attachments.ts'
import { findSum, shown } from './calculator.ts'
import { checkGrammar } from './grammar.ts'
import { languageOf, type AnswerLanguage } from './language.ts'
import { answerMinutes } from './minutes.ts'
import { flattened, outlineOf, withoutLeadIn, type OutlineNode } from './outline.ts'
import { structuredPrompt } from './prompt-sections.ts'
import type { QuotePassage } from './quote.ts'
import { type Ask, type Skill, type SkillAnswer, interpreterCall, type ToolCall } from './skill.ts'
import { instead, quoteEverything, readPapers, quoteGiven } from './skills-of-sources.ts'
import { pastedTable, statisticsLog, tableStatistics } from './table.ts'
import { drawTextImage } from './text-image.ts'

/** Sentences around the results of tools. */
interface ToolLabels {
  readonly noSum: string
  readonly writeOutline: string
  readonly everything: string
  readonly drawn: string
  readonly image: string
  readonly sorted: string
  readonly corrected: string
  readonly noErrors: string
  readonly onlyCertain: string
  unread(name: string, reason: string): string
  translation(from: string, to: string): string
}

const toolLabels: Readonly<Record<AnswerLanguage, ToolLabels>> = {
  en: {
    noSum: 'no result. The formula is incomplete or divides by zero.',
    writeOutline:
      'Write an outline with one entry per line, and indent or number the entries below another.',
    everything: 'All',
    drawn: 'This is your outline as you wrote it. I added nothing.',
    image: 'This is a simple image of your text.',
    sorted: 'These are your own sentences, sorted.',
    corrected: 'Corrected:',
    noErrors: 'I found no errors.',
    onlyCertain:
      'I only check basic rules: repeated words, a and an, I, its, capitals, and periods.',
    unread: (name, reason) => `I couldn’t read “${name}”: ${reason}`,
    translation: (from, to) => fillSentence(engineNotices.noTranslation, { from, to }),
  },
  zh: {
    noSum: '没有结果：算式不完整，或除以零。',
    writeOutline: '请写出提纲：每行一项，下级内容缩进或加序号。',
    everything: '全部',
    drawn: '这就是你写的提纲，我没有添加任何内容。',
    image: '这是一张写有你的文字的简单图片。',
    sorted: '这些都是你自己的句子，只做了归类。',
    corrected: '修改后：',
    noErrors: '没有发现错误。',
    onlyCertain: '我只检查少数确定的规则：重复的词、a 与 an、大写 I、its、句首大写和句号。',
    unread: (name, reason) => `无法读取“${name}”：${reason}`,
    translation: (from, to) => `本机无法从 ${from} 翻译到 ${to}。`,
  },
}

/** A label inside quotes, where Mermaid interprets character codes. */
const label = (text: string): string =>
  text.replace(/["#;<>`]/g, (sign) => `#${sign.charCodeAt(0)};`)

/**
 * Returns a flowchart (Mermaid) of consecutive steps. An entry that is a question becomes a decision: its children are the
 * branches, labeled by the text before their colon, and every branch continues with the next step.
 */
function flowchart(steps: readonly OutlineNode[]): string {
  const lines: string[] = ['flowchart TD']
  let last = 0
  const draw = ({ text }: OutlineNode): string => {
    const id = `n${++last}`
    const asks = /[?？]\s*$/.test(text)
    lines.push(`  ${id}${asks ? '{' : '['}"${label(text)}"${asks ? '}' : ']'}`)
    return id
  }
  const link = (from: string, to: string, name = ''): void =>
    void lines.push(`  ${from} -->${name ? `|"${label(name)}"|` : ''} ${to}`)

  /** Draws the steps after the open ends and returns the new open ends. */
  const chain = (nodes: readonly OutlineNode[], begin: readonly End[]): readonly End[] => {
    let ends = begin
    for (const node of nodes) {
      const id = draw(node)
      for (const end of ends) link(end.id, id, end.name)
      if (/[?？]\s*$/.test(node.text) && node.children.length > 0)
        ends = node.children.flatMap((branch) => {
          const [, name = '', rest = ''] = /^([^:：]{1,30})[:：]\s*(.+)$/u.exec(branch.text) ?? []
          return name === ''
            ? chain([branch], [{ id, name: '' }])
            : chain([{ ...branch, text: rest }], [{ id, name }])
        })
      else ends = chain(node.children, [{ id, name: '' }])
    }
    return ends
  }
  chain(steps, [])
  return lines.join('\n')
}

interface End {
  readonly id: string
  readonly name: string
}

/** Returns a mind map (Mermaid). Several roots are placed below one with the given name. */
function mindMap(nodes: readonly OutlineNode[], name: string): string {
  const root = nodes.length === 1 ? nodes[0] : { text: name, children: nodes }
  const lines = ['mindmap']
  let last = 0
  const draw = ({ text, children }: OutlineNode, depth: number): void => {
    lines.push(`${'  '.repeat(depth)}n${++last}["${label(text)}"]`)
    for (const child of children) draw(child, depth + 1)
  }
  if (root) draw(root, 1)
  return lines.join('\n')
}

/** Whether the nodes form an outline: at least two entries. */
const isOutline = (nodes: readonly OutlineNode[]): boolean => flattened(nodes).length >= 2

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
const analyse: Skill = async (ask) => {
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
    text: lines.join('\n\n'),
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

const drawFlowchart = diagram('flowchart')

const drawMindMap = diagram('mindMap')

const drawImage: Skill = async ({ question, language, context }) => {
  const image = await context.media.put(await drawTextImage(question), 'png')
  return {
    text: toolLabels[language].image,
    toolCalls: [{ type: 'drawing_tool', drawing_tool: { input: question, outputs: [{ image }] } }],
    engine: engineNames.wordDrawing,
    notice: engineNotices.wordsDrawn,
  }
}

/** Returns the slides of a presentation as text. */
const outlineSlides: Skill = async ({ question, language }) => {
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
const engineerPrompt: Skill = async ({ question, language }) => ({
  text: `${structuredPrompt(question, language)}\n\n${toolLabels[language].sorted}`,
  toolCalls: [],
  engine: engineNames.rules,
  notice: engineNotices.sentencesSorted,
})

/** Marks definite errors. */
const correctGrammar: Skill = async ({ question, language }): Promise<SkillAnswer> => {
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

const skills: Readonly<Record<AssistantPurpose, Skill>> = {
  // Meetings to summarize and questions about documents are recognized by their format; anything else is a question.
  chat: async (ask) => answerMinutes(ask) ?? (await answerDocument(ask)) ?? quoteEverything(ask),
  data: analyse,
  flowcharts: drawFlowchart,
  mindMaps: drawMindMap,
  prompts: engineerPrompt,
  drawing: drawImage,
  webSearch: instead('web'),
  slides: outlineSlides,
  papers: readPapers,
  programming: instead('code'),
  fiction: instead('fiction'),
  grammar: correctGrammar,
}

/** Additional requests that cannot be fulfilled. */
export interface Extras {
  readonly translate: { readonly from: string; readonly to: string } | null
  /** Number of images in messages, which are ignored. */
  readonly imageCount: number
}

/** Returns the answer of one assistant, with notes on what it could not read or do. Rejects when the signal aborts. */
export async function answerAs(
  purpose: AssistantPurpose,
  ask: Ask,
  { translate, imageCount }: Extras,
): Promise<SkillAnswer> {
  const answer = await skills[purpose](ask)
  const labels = toolLabels[ask.language]
  const unread = ask.attachments.flatMap(({ name, reason }) =>
    reason === null ? [] : [{ name, reason }],
  )
  const words = unread.map(({ name, reason }) => labels.unread(name, reason))
  const notices = unread.map(({ name, reason }) => toolLabels.en.unread(name, reason))
  if (translate) {
    words.push(labels.translation(translate.from, translate.to))
    notices.push(toolLabels.en.translation(translate.from, translate.to))
  }
  if (imageCount > 0) notices.push(engineNotices.imageInside)
  const all = [answer.notice ?? '', ...notices].filter(Boolean)
  return {
    ...answer,
    text: [...words, answer.text].join('\n\n'),
    ...(all.length > 0 && { notice: all.join(' ') }),
  }
}

/**
 * Answers a question that includes documents or transcripts by quoting their sentences, with page numbers or times. Null for
 * any other question.
 */
async function answerDocument(ask: Ask): Promise<SkillAnswer | null> {
  const given = readDocumentQuestions(ask.question)
  if (!given) return null
  const { documents, question } = given
  const passages: QuotePassage[] = []
  for (const { title, text } of documents) {
    const transcript = readTranscriptText(text)
    if (transcript) {
      passages.push({
        source: title,
        text: transcript.map((line) => line.text).join('\n'),
        times: transcript.map(({ time }) => time),
      })
      continue
    }
    const bytes = new TextEncoder().encode(text)
    const document = { name: `${title}.md`, kind: 'markdown' as const, bytes }
    const options = { images: false, signal: ask.signal }
    try {
      const read = await readDocument(document, ask.context.pages, options)
      passages.push(...passagesByPage(title, read.passages))
    } catch (error) {
      // A document without text contributes nothing.
      if (!(error instanceof DocumentFailure)) throw error
    }
  }
  return quoteGiven({ ...ask, question, language: languageOf(question) }, passages)
}
