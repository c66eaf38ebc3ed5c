import { engineNotices } from '../../shared/service/engine-notices.ts'
import type { AssistantPurpose } from '../../shared/service/assistants.ts'
import { answerDocument } from './document-question.ts'
import { answerMinutes } from './minutes.ts'
import type { Ask, Skill, SkillAnswer } from './skill.ts'
import { instead, quoteEverything, readPapers } from './skills-of-sources.ts'
import {
  analyse,
  correctGrammar,
  drawFlowchart,
  drawMindMap,
  drawImage,
  engineerPrompt,
  outlineSlides,
} from './skills-of-tools.ts'
import { toolLabels } from './tool-labels.ts'

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
