/** A question with sample candidates: two answers in different words, and texts that are only superficially similar. */
const samples = {
  en: {
    query: 'How do bees find their way home?',
    texts: [
      'The home page loads faster since the pictures are smaller.',
      'Foraging honeybees use the position of the sun as a compass and remember landmarks near the hive.',
      'A beehive is opened on a warm day, when most of the foragers are out.',
      'Pigeons are said to follow motorways on their way home.',
      'The waggle dance tells other bees the direction and distance of flowers.',
      'Bees perceive polarised light, so they can tell where the sun is behind clouds.',
    ],
  },
  zh: {
    query: '蜜蜂怎样找到回家的路？',
    texts: [
      '图片变小以后，首页打开得更快了。',
      '采蜜的蜜蜂以太阳的位置作罗盘，并记住蜂巢附近的地标。',
      '打开蜂箱要选暖和的日子，那时大部分采蜜的蜜蜂都在外面。',
      '据说鸽子回家时会沿着高速公路飞行。',
      '摇摆舞告诉其他蜜蜂花在哪个方向、有多远。',
      '蜜蜂能看见偏振光，所以即使有云也知道太阳在哪里。',
    ],
  },
} as const

/** Returns the sample in the interface language. */
export const sampleRanking = (
  language: string,
): { readonly query: string; readonly texts: readonly string[] } =>
  language.startsWith('zh') ? samples.zh : samples.en
