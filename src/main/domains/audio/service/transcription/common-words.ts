import { fold } from '../../../../../shared/text/fold.ts'

const english =
  'a about after again all also am an and any are as at be because been before being but by can could did do does doing done down each even every few find first for from get give go going good got had has have he her here him his how i if in into is it its just keep know last let like little long look made make many may me might more most much must my need never new next no not now of off oh ok okay on once one only or other our out over own people perhaps please put really right said same say see she should since so some still such sure take than that the their them then there these they thing things think this those through time to today together tomorrow too two under until up us use very want was way we well were what when where which while who why will with without word work would yes yesterday yet you your'

const chinese =
  '的 了 是 在 我 你 他 她 它 我们 你们 他们 这 那 这个 那个 这些 那些 就 也 都 还 和 与 或 但 但是 因为 所以 如果 然后 不 没 没有 有 会 能 可以 要 想 说 去 来 到 对 好 很 太 吗 呢 吧 啊 嗯 一 一个 什么 怎么 为什么 现在 今天 明天 昨天 时候 问题 东西 大家 觉得 知道 就是 还是 已经'

const common = new Set([...english.split(' '), ...chinese.split(' ')])

/** Whether a word is very common: it helps no engine, and its capitalization means nothing. */
export const isCommon = (word: string): boolean => common.has(fold(word.trim()))
