/** Criterion for the points of a section; `about`: the words of the section itself. */
export type SectionKind = 'decisions' | 'actions' | 'questions' | 'gist' | 'topics' | 'about'

const kinds: readonly (readonly [SectionKind, RegExp])[] = [
  ['questions', /\bquestions?\b|\bunresolved\b|\bput off\b|问题|未决|疑问|悬而/iu],
  ['decisions', /\bdecisions?\b|\bdecided\b|\bagreements?\b|决定|决策|决议|结论/iu],
  ['actions', /\bactions?\b|\bto-?dos?\b|\btasks?\b|\bnext steps?\b|行动|待办|任务|下一步/iu],
  ['topics', /\btopics?\b|\bthemes?\b|\bsubjects?\b|主题|议题|话题/iu],
  [
    'gist',
    /\bin short\b|\boverview\b|\bsummary\b|\bgist\b|\bhighlights?\b|概要|摘要|纪要|概述|总结|要点/iu,
  ],
]

/** Returns the kind of a section by its title, or else by its instruction. */
export function kindOf(section: {
  readonly title: string
  readonly instruction: string
}): SectionKind {
  const named = (text: string): SectionKind | undefined =>
    kinds.find(([, cue]) => cue.test(text))?.[0]
  return named(section.title) ?? named(section.instruction) ?? 'about'
}

const decided =
  /\b(?:we|they|i)(?:'ve| have)? (?:(?:all|just|finally|also|already) )*(?:decided|agreed|settled|concluded|chose)\b|\b(?:it is|it's|that's|that is|it was) (?:decided|agreed|settled)\b|\b(?:the|our) (?:decision|agreement|conclusion) is\b|\b(?:we'll|we will|let's|let us) (?:go with|stick with|stay with|use|keep|drop|cancel|postpone|move (?:it|the|this))\b|^(?:so |and )?then (?:we|the) (?!are\b|is\b)[a-z]+|\bgo ahead with\b|\b(?:is|are|was|were) approved\b|决定|定下来|定为|达成一致|一致同意|通过了|结论是|就这么定|敲定|批准/iu

const promised =
  /\b(?:i|we|you|they|he|she|[a-z]+)(?:'ll| will| shall) (?!be\b|have been\b|not\b|never\b)[a-z]+|\b(?:i'm|i am|we're|we are) going to (?!be\b)[a-z]+|\b(?:can|could|would) you (?:please )?[a-z]+|\bplease [a-z]+|\b(?:i|we|you|they|he|she) (?:(?:need|needs|have|has) to|must|should) [a-z]+|\blet me (?:check|find out|ask|send|look into|take care)\b|\baction item\b|\b(?:by|before|until) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|next|the end|end of)\b|负责|来做|去做|跟进|我会|我来|你来|请你|请把|请在|需要在|必须在|之前完成|之前提交|之前给|下周[一二三四五六日天]?(?:之)?前|尽快|安排一下|整理一下|确认一下|发给/iu

const questionPattern =
  /[?？]["'”’)\]」』）]*$|(?:吗|呢|么)[。.!！]*$|^(?:who|what|when|where|why|how|which|whose|is|are|do|does|did|can|could|should|will|would|shall|have|has)\b[^.!]*$/iu

const putOff =
  /\b(?:open question|not (?:yet )?(?:decided|clear|sure|settled)|still (?:open|unclear|undecided)|remains? (?:open|unclear)|(?:come|get|circle) back to (?:that|this|it)|(?:discuss|decide|settle) (?:that|this|it) (?:later|next)|put (?:that|this|it) off|to be (?:decided|confirmed)|we don't know)\b|还没(?:有)?(?:定|决定|确定|想好)|尚未|待定|不确定|以后再|回头再|下次再|暂时搁置|再讨论/iu

const requested =
  /\b(?:can|could|would|will) (?:you|somebody|someone)\b|\bplease\b|请|能不能|麻烦/iu

/** Courtesies that look like promises or questions but are not. */
const courtesy =
  /^(?:(?:yes|yeah|ok|okay|well|so|and|right)[, ]+)*(?:(?:how are you|can you (?:all )?(?:hear|see) (?:me|us|my screen|this)|(?:is|are) (?:everyone|everybody|you) (?:there|here|ready)|any(?:thing| other) questions?|right|really|shall we (?:start|begin)|i(?:'ll| will) see you|see you|let me (?:see|think|know)|you know)\b[^.!?]*)[.!?]*$|^(?:(?:大家好|各位好|你好|喂|听得到吗|能听到吗|听得见吗|对吧|是吧|是吗|好吗|对不对)[，。？?!！]*)+$/iu

/** Whether a sentence is of a kind, by cue words in English and Chinese. */
export function fitsKind(kind: 'decisions' | 'actions' | 'questions', sentence: string): boolean {
  if (courtesy.test(sentence)) return false
  const isQuestion = questionPattern.test(sentence)
  if (kind === 'questions') return isQuestion || putOff.test(sentence)
  if (kind === 'decisions') return !isQuestion && decided.test(sentence) && !putOff.test(sentence)
  // A request may be phrased as a question; something left to be settled is not an action.
  if (isQuestion) return requested.test(sentence)
  return promised.test(sentence) && !putOff.test(sentence) && !decided.test(sentence)
}

const recap =
  /\b(?:repeat|recap|sum up|summari[sz]e|list|go (?:over|through)|here are|these are)\b.*\bdecisions\b|\bdecisions (?:are|were)\b|(?:总结|重复|回顾|确认|说)一下.*(?:决定|决议|结论)|(?:决定|决议|结论)(?:如下|有)/iu
const counted =
  /^(?:(?:and|then)[, ]+)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|finally|number \w+|one|two|three|four|five)\b[,:]|^(?:and )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth)(?:ly)?\b|^(?:第[一二三四五六七八九十]|首先|其次|然后|最后)/iu

/** Whether a sentence announces a recap of decisions. */
export const isRecap = (sentence: string): boolean => recap.test(sentence)

/** Whether a sentence is an item of a spoken list. */
export const isCounted = (sentence: string): boolean => counted.test(sentence)

/** Whether a sentence directly answers the preceding question. */
export const isPlainAnswer = (sentence: string): boolean =>
  /^(?:yes|yeah|yep|no|nope|exactly|sure|of course|correct|absolutely|certainly)\b|^(?:是的|对[，。,.!！的]|可以|不行|没问题|当然|不用)/iu.test(
    sentence,
  )
