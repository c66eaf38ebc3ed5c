/** Texts on a few subjects, some of which are paraphrases. */
const samples = {
  en: [
    'Bees find their way home by the sun.',
    'Honeybees use the position of the sun as a compass.',
    'The waggle dance tells where flowers are.',
    'A hive is opened on a warm day.',
    'The train leaves at noon.',
    'At twelve o’clock the train departs.',
    'The next bus stops at the station.',
    'Tickets are sold at the counter.',
    'Bread needs flour, water, salt and time.',
    'The dough rises in a warm place.',
    'An oven must be hot before the loaf goes in.',
    'Butter makes the crust soft.',
  ],
  zh: [
    '蜜蜂靠太阳找到回家的路。',
    '采蜜的蜜蜂以太阳的位置为罗盘。',
    '摇摆舞说明花在哪里。',
    '打开蜂箱要选暖和的日子。',
    '火车中午出发。',
    '列车十二点开。',
    '下一班公交车停在车站。',
    '车票在柜台出售。',
    '做面包需要面粉、水、盐和时间。',
    '面团在暖和的地方发酵。',
    '放入面包之前先预热烤箱。',
    '黄油让外皮更酥软。',
  ],
} as const

/** Returns the sample in the user's language. */
export const sampleTexts = (language: string): readonly string[] =>
  language.startsWith('zh') ? samples.zh : samples.en
