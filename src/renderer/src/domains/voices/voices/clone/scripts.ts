/**
 * Texts to read for a sample, by language: every sound of the language, a question, numbers, 15 to 20 seconds at an even pace.
 */
export const readingScripts = {
  en: [
    'Yesterday I walked down to the old harbour, where the boats come in before eight. Have you ever watched them unload? A boy threw five oranges over the wall, and everybody laughed. The air smelled of salt and fresh bread, and I thought: this is exactly how a good day should begin.',
    'My neighbour keeps a small garden behind the house, with beans, thyme and a very old pear tree. What would you plant there? Each morning, just after half past seven, she opens the window, pours herself a cup of tea, and reads the paper without any hurry at all.',
  ],
  zh: [
    '昨天清晨，我沿着河边慢慢地走，远处传来轻轻的钟声。你见过雨后的彩虹吗？孩子们在草地上追逐嬉戏，老人坐在长椅上谈论着往事。我买了三个热包子，喝了一杯豆浆，心里想：这样的日子，真是再好不过了。',
    '我的邻居在院子里种了两棵石榴树和许多花。春天到来的时候，蜜蜂嗡嗡地飞来飞去。你猜她每天几点起床？差一刻六点，她就打开窗户，泡上一壶茶，一边听广播，一边给朋友写信，从来不着急。',
  ],
} as const

/** A language that has a text. */
export type ScriptLanguage = keyof typeof readingScripts
