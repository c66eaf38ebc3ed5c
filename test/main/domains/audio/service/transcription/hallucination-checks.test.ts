import { expect, test } from 'vitest'
import { checkText } from '../../../../../../src/main/domains/audio/service/transcription/hallucination-checks/checks.ts'

const flags = (text: string, more: Partial<Parameters<typeof checkText>[0]> = {}) =>
  checkText({ text, prompt: '', hotwords: [], voicedMs: 20_000, ...more })

const english =
  'Good morning everybody, let us begin with the numbers of the last quarter. Sales went up by four per cent in the north, and Anna will tell us why the south did not follow. After that we look at the budget for the new office and decide who talks to the landlord before Friday.'
const chinese =
  '大家早上好，我们先看一下上个季度的数据。北方的销售额增长了百分之四，等一下请安娜说明南方为什么没有跟上。然后我们讨论新办公室的预算，并且决定星期五之前由谁去和房东联系。'

test('ordinary speech has no flags', () => {
  expect(flags(english)).toEqual([])
  expect(flags(chinese)).toEqual([])
  expect(flags('今天 we talk about the 预算 of the new office.')).toEqual([])
})

test.each([
  'No, no, no, that is not what I meant.',
  'Ha ha ha, very funny.',
  'One, two, three, four, five, six, seven, eight, nine, ten.',
  'Yes, yes, yes, yes, yes.',
  '对对对对对，就是这个意思。',
  '哈哈哈，好的。',
  '一二三四五六七八九十。',
  'Row, row, row your boat, gently down the stream, merrily, merrily, merrily, merrily, life is but a dream.',
])('does not flag repetition that people say: %s', (text) => {
  expect(flags(text)).toEqual([])
})

test.each([
  'you '.repeat(40),
  'Thank you very much. '.repeat(9),
  `We begin now. ${'and then the '.repeat(12)}`,
  '谢谢大家。'.repeat(8),
  '嗯'.repeat(30),
  '我们再来看一下这个问题'.repeat(4),
])('flags a loop: %s', (text) => {
  expect(flags(text, { voicedMs: 60_000 })).toContain('loop')
})

test('flags a text that compresses too well as a loop, even without direct repetition', () => {
  const almost = Array.from({ length: 30 }, (_, n) => `and then we went to the station ${n},`).join(
    ' ',
  )
  expect(flags(almost, { voicedMs: 120_000 })).toContain('loop')
})

test('flags more words than anyone can say as too fast', () => {
  expect(flags(english, { voicedMs: 4_000 })).toContain('too-fast')
  expect(flags(chinese, { voicedMs: 4_000 })).toContain('too-fast')
  expect(flags('Yes, okay.', { voicedMs: 250 })).toEqual([])
  expect(flags('好的，没问题。', { voicedMs: 300 })).toEqual([])
})

test('flags a repeated end of the prompt as an echo, but not a short repeated answer', () => {
  const prompt = 'We looked at the budget. Anna will talk to the landlord.'
  expect(flags('Anna will talk to the landlord.', { prompt })).toEqual(['prompt-echo'])
  expect(flags('anna will talk to the Landlord', { prompt })).toEqual(['prompt-echo'])
  expect(flags('Anna will talk to the mayor.', { prompt })).toEqual([])
  expect(flags('The landlord.', { prompt })).toEqual([])
  expect(flags('由谁去和房东联系。', { prompt: chinese })).toEqual(['prompt-echo'])
  expect(flags('联系。', { prompt: chinese })).toEqual([])
})

test('flags a repeated list of hotwords as an echo, but not a sentence with some of them', () => {
  const hotwords = ['Lectern', 'Moonshine', 'Silero', '张伟', 'Kubernetes']
  expect(flags('Lectern, Moonshine, Silero, 张伟, Kubernetes.', { hotwords })).toEqual([
    'hotword-echo',
  ])
  expect(flags('Moonshine Silero Lectern Kubernetes', { hotwords })).toEqual(['hotword-echo'])
  expect(
    flags('Lectern runs Silero and Moonshine on Kubernetes, says 张伟.', { hotwords }),
  ).toEqual([])
  expect(flags('Lectern.', { hotwords: ['Lectern'] })).toEqual([])
})

test.each([
  'Thanks for watching!',
  'Thank you so much for watching.',
  'Please subscribe to my channel.',
  'Subtitles by the Amara.org community',
  '请不吝点赞 订阅 转发 打赏支持明镜与点点栏目',
  '谢谢大家观看。',
  '字幕由Amara.org社区提供',
  'ご視聴ありがとうございました',
  '시청해 주셔서 감사합니다',
  'Untertitel der Amara.org-Community',
  'Vielen Dank fürs Zuschauen!',
  'Спасибо за просмотр!',
  "Merci d'avoir regardé cette vidéo !",
])('flags a stock phrase of films: %s', (text) => {
  expect(flags(text)).toEqual(['describes-silence'])
})

test.each([
  'Thank you.',
  'Thank you all for coming, and for watching the demo with so much patience.',
  '谢谢大家。',
  '谢谢大家今天来参加会议。',
  'Silence is golden.',
  'Please subscribe the team to the list before Monday.',
])('does not flag a phrase that is only similar: %s', (text) => {
  expect(flags(text)).toEqual([])
})
