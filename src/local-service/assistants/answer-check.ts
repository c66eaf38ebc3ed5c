import { queryTokens } from '../../shared/text/query.ts'
import { isQuestionWord } from './question-words.ts'

/** Whether a text contains what a question asks for: a name, a time, a place. */
export type AnswerCheck = (text: string) => boolean

const numbers =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|half|once|twice)\b|[〇零一二两三四五六七八九十百千万亿半]/iu
const times =
  /\d{3,4}|\d\s*(?::\d|o’?'?clock|[ap]\.?m\b)|\b(?:january|february|march|april|may \d|may of|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|midnight|dawn|dusk|sunrise|sunset|morning|afternoon|evening|night|today|yesterday|tomorrow|ago|century|spring|summer|autumn|winter|year|month|week|until)\b|[年月日号点时周]|星期|礼拜|世纪|上午|下午|早上|中午|晚上|夜里|今天|昨天|明天|去年|春|夏|秋|冬/iu
const places =
  /\b(?:in|at|on|under|below|above|near|beside|behind|inside|outside|between|from|to|into) (?:the |an? |its? |his |her |their |our |my )?\p{L}|(?<![现正存实])在\p{Script=Han}|位于|[省市县区镇村路街楼室馆站港湾]/u
const reasons =
  /\b(?:because|since|due to|owing to|so that|in order to|as a result|therefore|reasons?|causes?|caused|thanks to)\b|因为|由于|因而|因此|所以|为了|以便|原因|缘故|导致|使得|造成/iu

/** Capitalized words that are not names. */
const noNames = new Set(
  (
    'january february march april may june july august september october november december ' +
    'monday tuesday wednesday thursday friday saturday sunday he she they his its our my your however but after before ' +
    'while since although because later then today english chinese figure table chapter section page'
  ).split(' '),
)
const surnames =
  '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹苏潘葛范彭鲁韦马方俞任袁柳鲍史唐费薛雷贺汤罗郝邵康伍余顾孟黄萧尹姚汪毛戴宋庞熊纪舒屈项董梁杜阮蓝席季贾江郭梅林钟徐邱骆高夏蔡田樊胡凌霍万柯卢莫房丁邓洪包左石崔龚程陆翁段侯武刘龙叶白卓乔欧阳司马诸葛上官'
const chineseName = new RegExp(
  `(?:^|[\\p{P}\\s]|[是由与和及跟对向给让被把请找]|师|长|员|授|士|任|理|家|者|人)[${surnames}]\\p{Script=Han}{1,2}(?=[\\p{P}\\s]|[是在于的和与为把被说对将从向曾已用有按让提发带就也又还到]|先生|女士|$)|\\p{Script=Han}·\\p{Script=Han}|先生|女士`,
  'u',
)
const placeBefore = /^(?:in|at|from|to|near|of|the)$/i
const particle = /^(?:van|von|de|da|di|del|la|bin|al)$/

/** Whether a text names a person whom the question does not name. */
function namesPerson(text: string, question: ReadonlySet<string>): boolean {
  if (chineseName.test(text)) return true
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*\.?|[^\s\p{L}\p{N}]/gu) ?? []
  let run: string[] = []
  let start = 0
  const isName = (): boolean => {
    const [first = ''] = run
    const alone = run.length < 2
    if (alone && (start === 0 || placeBefore.test(words[start - 1] ?? ''))) return false
    return first !== ''
  }
  for (const [at, word] of [...words, ''].entries()) {
    const bare = word.replace(/['’]s$|\.$/u, '').toLowerCase()
    const capital = /^\p{Lu}(?:\p{Ll}|\.$)/u.test(word)
    if (capital && !noNames.has(bare) && !isQuestionWord(bare) && !question.has(bare)) {
      if (run.length === 0) start = at
      run.push(word)
    } else if (run.length === 0 || !particle.test(word)) {
      if (isName()) return true
      run = []
    }
  }
  return false
}

/** Returns a check for what a question word asks for; null if it asks for nothing that can be detected in a text. */
export function answerCheckFor(question: string): AnswerCheck | null {
  if (/\bwh(?:o|om|ose)\b|谁|哪位|何人|什么人/iu.test(question)) {
    const named = new Set(queryTokens(question))
    return (text) => namesPerson(text, named)
  }
  const kinds: readonly (readonly [RegExp, RegExp])[] = [
    [
      /\bwhen\b|\b(?:what|which) (?:year|month|date|day|time)\b|什么时候|何时|几时|哪[一]?[年天月日]|几[年月号点]/iu,
      times,
    ],
    [
      /\bhow (?:many|much|long|old|far|often|big|tall|high|deep|heavy|fast)\b|多少|多[久长大高远深重快]|几/iu,
      numbers,
    ],
    [/\bwhere\b|哪里|哪儿|何处|何地|什么地方|在哪/iu, places],
    [/\bwhy\b|为什么|为何|为啥|怎么会/iu, reasons],
  ]
  const kind = kinds.find(([asks]) => asks.test(question))?.[1]
  return kind ? (text) => kind.test(text) : null
}
