import { predefinedAssistants, type AssistantPurpose } from '../../shared/provider/assistants.ts'
import type { AnswerLanguage } from './language.ts'

/** Texts of a predefined assistant (service-notes 8) in one language. */
interface Texts {
  readonly name: string
  readonly description: string
  readonly prompts: readonly string[]
}
/** A predefined assistant: its texts, and the types of tool calls that its answers can contain. */
interface Portrait {
  readonly tools: readonly string[]
  readonly en: Texts
  readonly zh: Texts
}

const portraits: Readonly<Record<AssistantPurpose, Portrait>> = {
  chat: {
    tools: ['retrieval'],
    en: {
      name: 'General chat',
      description: 'Answers by quoting your Library.',
      prompts: ['What did we decide about the release?'],
    },
    zh: {
      name: '通用对话',
      description: '引用资料库中的内容回答。',
      prompts: ['关于发布我们做了什么决定？'],
    },
  },
  data: {
    tools: ['code_interpreter'],
    en: {
      name: 'Data analysis',
      description: 'Calculates formulas and summarizes tables you attach or paste.',
      prompts: ['(1250 + 380) * 1.19', 'month,sales\nMay,120\nJune,150'],
    },
    zh: {
      name: '数据分析',
      description: '计算公式，汇总你添加或粘贴的表格。',
      prompts: ['(1250 + 380) * 1.19', '月份,销售额\n五月,120\n六月,150'],
    },
  },
  flowcharts: {
    tools: ['code_interpreter'],
    en: {
      name: 'Flowcharts',
      description: 'Turns the steps you list into a Mermaid flowchart.',
      prompts: ['1. Write the offer\n2. Approved?\n3. Send it'],
    },
    zh: {
      name: '流程图',
      description: '将你列出的步骤转换为 Mermaid 流程图。',
      prompts: ['写报价 -> 审批 -> 发送'],
    },
  },
  mindMaps: {
    tools: ['code_interpreter'],
    en: {
      name: 'Mind maps',
      description: 'Turns an outline into a Mermaid mind map.',
      prompts: ['Move\n- Rent\n  - Deposit\n- Furniture'],
    },
    zh: {
      name: '思维导图',
      description: '将大纲转换为 Mermaid 思维导图。',
      prompts: ['搬家\n- 租金\n- 家具'],
    },
  },
  prompts: {
    tools: [],
    en: {
      name: 'Prompt engineer',
      description: 'Sorts a request into role, task, context, and format.',
      prompts: ['Write a polite reminder to a customer. Keep it under 80 words.'],
    },
    zh: {
      name: '提示词工程师',
      description: '将需求整理为角色、任务、背景和格式。',
      prompts: ['给客户写一封礼貌的催款邮件，不超过 80 字。'],
    },
  },
  drawing: {
    tools: ['drawing_tool'],
    en: {
      name: 'Drawing',
      description: 'Creates a simple image with your text on it.',
      prompts: ['A lighthouse at night'],
    },
    zh: {
      name: '绘图',
      description: '生成一张带有你所写文字的简单图片。',
      prompts: ['夜晚的灯塔'],
    },
  },
  webSearch: {
    tools: ['retrieval'],
    en: {
      name: 'Web search',
      description: 'Searches your Library. Web search isn’t available on-device.',
      prompts: ['What is new about our rent?'],
    },
    zh: {
      name: '联网搜索',
      description: '搜索资料库。本机不支持联网搜索。',
      prompts: ['房租最近有什么变化？'],
    },
  },
  slides: {
    tools: ['code_interpreter'],
    en: {
      name: 'Slide generator',
      description: 'Turns an outline into slides, as text.',
      prompts: ['# Review\n- What went well\n- What to change'],
    },
    zh: {
      name: '幻灯片生成',
      description: '将大纲转换为文本形式的幻灯片。',
      prompts: ['# 项目回顾\n- 做得好的\n- 需要改进的'],
    },
  },
  papers: {
    tools: ['retrieval'],
    en: {
      name: 'Paper reading',
      description: 'Quotes the documents you attach.',
      prompts: ['What is the main result?'],
    },
    zh: {
      name: '论文阅读',
      description: '引用你添加的文档回答。',
      prompts: ['这篇论文的结论是什么？'],
    },
  },
  programming: {
    tools: ['retrieval'],
    en: {
      name: 'Programming help',
      description: 'Answers questions about programming by quoting your Library.',
      prompts: ['How do we release?'],
    },
    zh: {
      name: '编程助手',
      description: '引用资料库中的内容回答编程问题。',
      prompts: ['我们怎么发布新版本？'],
    },
  },
  fiction: {
    tools: ['retrieval'],
    en: {
      name: 'Web fiction',
      description: 'Answers by quoting your Library. Fiction writing isn’t available on-device.',
      prompts: ['What do my drafts say about the old captain?'],
    },
    zh: {
      name: '网文写作',
      description: '引用资料库中的内容回答。本机不支持小说创作。',
      prompts: ['我的草稿里是怎么写老船长的？'],
    },
  },
  grammar: {
    tools: [],
    en: {
      name: 'English grammar',
      description: 'Finds basic errors: repeated words, a and an, capitals, and periods.',
      prompts: ['i have a apple and and a pear'],
    },
    zh: {
      name: '英语语法检查',
      description: '检查英语基本错误：重复的单词、a 和 an、大小写和句号。',
      prompts: ['i have a apple and and a pear'],
    },
  },
}

/** An assistant as returned by the list (service-notes 8). */
interface AssistantRow {
  readonly assistant_id: string
  readonly name: string
  readonly avatar: string
  readonly description: string
  readonly tools: readonly string[]
  readonly tags: readonly { readonly key: string; readonly label: string }[]
  readonly status: string
  readonly starter_prompts: readonly string[]
  readonly created_at: string
  readonly updated_at: string
}

/** A fixed day: the assistants are part of the program. */
const since = '2026-01-01T00:00:00Z'

/** Returns the twelve assistants in a language, in the order of the API reference. */
export const assistantRows = (language: AnswerLanguage): readonly AssistantRow[] =>
  predefinedAssistants.map(({ id, purpose }) => {
    const { tools, [language]: texts } = portraits[purpose]
    return {
      assistant_id: id,
      name: texts.name,
      avatar: '',
      description: texts.description,
      tools,
      tags: [{ key: purpose, label: texts.name }],
      status: 'publish',
      starter_prompts: texts.prompts,
      created_at: since,
      updated_at: since,
    }
  })

/** Returns the purpose of an assistant by its ID; undefined for an unknown ID. */
export const purposeOf = (id: string): AssistantPurpose | undefined =>
  predefinedAssistants.find((assistant) => assistant.id === id)?.purpose
