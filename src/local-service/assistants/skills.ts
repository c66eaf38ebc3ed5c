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
  // A meeting to sum up and a document that is asked about are known by their form; anything else is a question.
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

/** What was asked beside the question and cannot be done. */
export interface Extras {
  readonly translate: { readonly from: string; readonly to: string } | null
  /** Pictures inside messages, which nobody looks at. */
  readonly imageCount: number
}

/** The answer of one assistant, with words on what it could not read or do. Rejects when the signal aborts. */
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
  if (imageCount > 0) notices.push(engineNotices.pictureInside)
  const all = [answer.notice ?? '', ...notices].filter(Boolean)
  return {
    ...answer,
    text: [...words, answer.text].join('\n\n'),
    ...(all.length > 0 && { notice: all.join(' ') }),
  }
}
