import type { SummaryTemplate } from '../../../../../shared/model/meeting.ts'
import { AppError } from '../../../../errors.ts'
import type { MeetingStore } from '../../store/meetings-types.ts'

/** Languages of summaries. */
export type SummaryLanguage = 'en' | 'zh'

type Sections = SummaryTemplate['sections']

/** The built-in templates in the language of the transcript. Their IDs never change, because summaries refer to them. */
const builtIn: readonly {
  readonly id: string
  readonly names: Readonly<Record<SummaryLanguage, string>>
  readonly sections: Readonly<Record<SummaryLanguage, Sections>>
}[] = [
  {
    id: 'built-in-decisions',
    names: { en: 'Decisions, actions, open questions', zh: '决定、待办事项、未决问题' },
    sections: {
      en: [
        {
          title: 'Decisions',
          instruction:
            'What was decided, each decision as one point, with its reason if one was given.',
        },
        {
          title: 'Actions',
          instruction:
            'What somebody is going to do: who, what, and until when, as far as it was said.',
        },
        {
          title: 'Open questions',
          instruction: 'Questions that were asked and not answered, and what was put off.',
        },
      ],
      zh: [
        { title: '决定', instruction: '会上作出的决定，每项决定一条；若说明了理由，一并写出。' },
        { title: '待办事项', instruction: '谁要做什么、何时完成，以会上所说为限。' },
        { title: '未决问题', instruction: '提出而没有得到回答的问题，以及被推迟的事项。' },
      ],
    },
  },
  {
    id: 'built-in-topics',
    names: { en: 'Summary by topic', zh: '按主题整理' },
    sections: {
      en: [
        {
          title: 'In short',
          instruction: 'The whole meeting in two to four sentences, one point each.',
        },
        {
          title: 'Topics',
          instruction:
            'What was said on each topic, in the order of the meeting; each point begins with its topic and a colon.',
        },
      ],
      zh: [
        { title: '概要', instruction: '用两到四句话概括整个会议，每句一条。' },
        {
          title: '主题',
          instruction: '按会议顺序写出每个主题下所说的内容；每条以主题名称和冒号开头。',
        },
      ],
    },
  },
]

const inLanguage = (
  { id, names, sections }: (typeof builtIn)[number],
  language: SummaryLanguage,
): SummaryTemplate => ({ id, name: names[language], builtIn: true, sections: sections[language] })

const isBuiltIn = (id: string): boolean => builtIn.some((one) => one.id === id)

/** All templates: the built-in ones in English (pages translate their names by ID), then the user's. */
export const templatesIn = (store: Pick<MeetingStore, 'templates'>): readonly SummaryTemplate[] => [
  ...builtIn.map((one) => inLanguage(one, 'en')),
  ...store.templates().filter((one) => !one.builtIn),
]

/** A template by its ID, a built-in one in the given language. Throws NOT_FOUND. */
export function templateOf(
  store: Pick<MeetingStore, 'templates'>,
  id: string,
  language: SummaryLanguage,
): SummaryTemplate {
  const known = builtIn.find((one) => one.id === id)
  if (known) return inLanguage(known, language)
  const own = store.templates().find((one) => one.id === id)
  if (!own) throw new AppError('NOT_FOUND', 'Template not found')
  return own
}

/** The ID under which a template is saved. Throws REFUSED for a built-in one, which cannot be changed. */
export function ownTemplateId(id: string): string {
  if (isBuiltIn(id)) throw new AppError('REFUSED', 'A built-in template cannot be changed')
  return id
}
