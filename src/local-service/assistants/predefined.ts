import { predefinedAssistants } from '../../shared/service/assistants.ts'
import type { AssistantPurpose } from '../../shared/service/assistants.ts'

/** Description of a predefined assistant (service-notes 8), in English; `zh` is its Chinese name, returned as a tag. */
interface Portrait {
  readonly name: string
  readonly zh: string
  readonly description: string
  /** Types of tool calls that its answers can contain (service-notes 8). */
  readonly tools: readonly string[]
  readonly prompts: readonly string[]
}

const portraits: Readonly<Record<AssistantPurpose, Portrait>> = {
  chat: {
    name: 'General chat',
    zh: '通用对话',
    description: 'Answers by quoting your Library.',
    tools: ['retrieval'],
    prompts: ['What did we decide about the office?', '上次会议讨论了什么？'],
  },
  data: {
    name: 'Data analysis',
    zh: '数据分析',
    description: 'Calculates formulas and summarizes tables you attach or paste.',
    tools: ['code_interpreter'],
    prompts: ['(1250 + 380) * 1.19', 'month,sales\nMay,120\nJune,150'],
  },
  flowcharts: {
    name: 'Flowcharts',
    zh: '流程图',
    description: 'Turns the steps you list into a Mermaid flowchart.',
    tools: ['code_interpreter'],
    prompts: ['1. Write the offer\n2. Approved?\n3. Send it', '写报价 -> 审批 -> 发送'],
  },
  mindMaps: {
    name: 'Mind maps',
    zh: '思维导图',
    description: 'Turns an outline into a Mermaid mind map.',
    tools: ['code_interpreter'],
    prompts: ['Move\n- Rent\n  - Deposit\n- Furniture', '搬家\n- 租金\n- 家具'],
  },
  prompts: {
    name: 'Prompt engineer',
    zh: '提示词工程师',
    description: 'Sorts a request into role, task, context, and format.',
    tools: [],
    prompts: ['Write a polite reminder to a customer. Keep it under 80 words.'],
  },
  drawing: {
    name: 'Drawing',
    zh: '绘图',
    description: 'Creates a simple image with your text on it.',
    tools: ['drawing_tool'],
    prompts: ['A lighthouse at night', '夜晚的灯塔'],
  },
  webSearch: {
    name: 'Web search',
    zh: '联网搜索',
    description: 'Searches your Library. Web search isn’t available on-device.',
    tools: ['retrieval'],
    prompts: ['What is new about our rent?'],
  },
  slides: {
    name: 'Slide generator',
    zh: '幻灯片生成',
    description: 'Turns an outline into slides, as text.',
    tools: ['code_interpreter'],
    prompts: ['# Review\n- What went well\n- What to change'],
  },
  papers: {
    name: 'Paper reading',
    zh: '论文阅读',
    description: 'Quotes the documents you attach.',
    tools: ['retrieval'],
    prompts: ['What is the main result?', '这篇论文的结论是什么？'],
  },
  programming: {
    name: 'Programming help',
    zh: '编程助手',
    description: 'Answers questions about programming by quoting your Library.',
    tools: ['retrieval'],
    prompts: ['How do we release?'],
  },
  fiction: {
    name: 'Web fiction',
    zh: '网文写作',
    description: 'Answers by quoting your Library. Fiction writing isn’t available on-device.',
    tools: ['retrieval'],
    prompts: ['What do my drafts say about the old captain?'],
  },
  grammar: {
    name: 'English grammar',
    zh: '英语语法检查',
    description: 'Finds basic errors: repeated words, a and an, capitals, and periods.',
    tools: [],
    prompts: ['i have a apple and and a pear'],
  },
}

/** An assistant as returned by the list (service-notes 8). */
export interface AssistantRow {
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

/** The twelve assistants, in the order of the API reference. */
export const assistantRows: readonly AssistantRow[] = predefinedAssistants.map(
  ({ id, purpose }) => {
    const { name, zh, description, tools, prompts } = portraits[purpose]
    return {
      assistant_id: id,
      name,
      avatar: '',
      description,
      tools,
      tags: [
        { key: purpose, label: name },
        { key: 'zh', label: zh },
      ],
      status: 'publish',
      starter_prompts: prompts,
      created_at: since,
      updated_at: since,
    }
  },
)

/** Returns the purpose of an assistant by its ID; undefined for an unknown ID. */
export const purposeOf = (id: string): AssistantPurpose | undefined =>
  predefinedAssistants.find((assistant) => assistant.id === id)?.purpose
