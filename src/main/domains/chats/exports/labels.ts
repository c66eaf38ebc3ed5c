import type { ChatAttachment, ChatSettings, MessageState } from '../../../../shared/model/chat.ts'
import {
  predefinedAssistants,
  type AssistantPurpose,
} from '../../../../shared/provider/assistants.ts'
import type { ExportLanguage } from '../../../platform/export-files/export-labels.ts'

/** Labels that exports add to a chat. */
export interface ChatLabels {
  readonly you: string
  readonly agent: string
  readonly assistant: string
  readonly assistants: Readonly<Record<AssistantPurpose, string>>
  readonly thinking: string
  readonly thought: string
  readonly tool: (name: string) => string
  readonly event: (name: string) => string
  /** Separator between a label and its value. */
  readonly colon: string
  readonly bracketed: (text: string) => string
  readonly input: string
  readonly result: string
  readonly image: string
  readonly attachments: Readonly<Record<ChatAttachment['kind'], string>>
  readonly pages: (pages: string) => string
  readonly page: (page: number) => string
  readonly sheet: (sheet: string) => string
  readonly row: (row: number) => string
  readonly line: (line: number) => string
  readonly sources: string
  readonly source: (number: number) => string
  /** Labels of incomplete messages. */
  readonly states: Readonly<Partial<Record<MessageState, string>>>
  readonly messages: (count: number) => string
}

const en: ChatLabels = {
  you: 'You',
  agent: 'Retrieval agent',
  assistant: 'Assistant',
  assistants: {
    chat: 'Chat assistant',
    data: 'Data analysis',
    flowcharts: 'Flowcharts',
    mindMaps: 'Mind maps',
    prompts: 'Prompt engineer',
    drawing: 'Drawing',
    webSearch: 'Web search',
    slides: 'Slides',
    papers: 'Paper reader',
    programming: 'Programming',
    fiction: 'Story writer',
    grammar: 'Grammar',
  },
  thinking: 'Thinking',
  thought: 'Thought',
  tool: (name) => `Tool: ${name}`,
  event: (name) => `Event: ${name}`,
  colon: ': ',
  bracketed: (text) => ` (${text})`,
  input: 'Input',
  result: 'Result',
  image: 'image',
  attachments: { image: 'Image', document: 'Document', meeting: 'Meeting', file: 'File' },
  pages: (pages) => `pages ${pages}`,
  page: (page) => `page ${page}`,
  sheet: (sheet) => `sheet ${sheet}`,
  row: (row) => `row ${row}`,
  line: (line) => `line ${line}`,
  sources: 'Sources',
  source: (number) => `Source ${number}`,
  states: {
    queued: 'not sent yet',
    waiting: 'not sent yet',
    running: 'unfinished',
    stopped: 'stopped',
    failed: 'failed',
    broken: 'interrupted',
  },
  messages: (count) => `Messages: ${count}`,
}

const zh: ChatLabels = {
  you: '我',
  agent: '检索智能体',
  assistant: '助手',
  assistants: {
    chat: '对话助手',
    data: '数据分析',
    flowcharts: '流程图',
    mindMaps: '思维导图',
    prompts: '提示词工程师',
    drawing: '绘图',
    webSearch: '联网搜索',
    slides: '幻灯片',
    papers: '论文阅读',
    programming: '编程',
    fiction: '故事写作',
    grammar: '语法',
  },
  thinking: '思考过程',
  thought: '思考',
  tool: (name) => `工具：${name}`,
  event: (name) => `事件：${name}`,
  colon: '：',
  bracketed: (text) => `（${text}）`,
  input: '输入',
  result: '结果',
  image: '图片',
  attachments: { image: '图片', document: '文档', meeting: '会议', file: '文件' },
  pages: (pages) => `第 ${pages} 页`,
  page: (page) => `第 ${page} 页`,
  sheet: (sheet) => `工作表 ${sheet}`,
  row: (row) => `第 ${row} 行`,
  line: (line) => `第 ${line} 行`,
  sources: '来源',
  source: (number) => `来源 ${number}`,
  states: {
    queued: '尚未发送',
    waiting: '尚未发送',
    running: '未完成',
    stopped: '已停止',
    failed: '失败',
    broken: '已中断',
  },
  messages: (count) => `消息数：${count}`,
}

export const chatLabels: Readonly<Record<ExportLanguage, ChatLabels>> = { en, zh }

/** Returns the name of the assistant: as listed, otherwise the purpose of a predefined assistant. */
export function answererName(
  settings: ChatSettings,
  listed: string | null,
  words: ChatLabels,
): string {
  if (settings.kind === 'agent') return words.agent
  const known = predefinedAssistants.find(({ id }) => id === settings.assistantId)
  if (known) return words.assistants[known.purpose]
  return listed === null || listed.trim() === '' ? words.assistant : listed
}

/** Formats a time as `2026-11-21 09:05`, in the computer's time zone unless another is given. */
export function shortTime(ms: number, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...(timeZone !== undefined && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(ms)
  const of = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}-${of('day')} ${of('hour')}:${of('minute')}`
}
