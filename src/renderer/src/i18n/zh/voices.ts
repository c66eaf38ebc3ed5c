import type { Messages } from '../messages.ts'

/** 声音：声音库。 */
export const voices = {
  voices: {
    title: '声音',
    kind: '声音',
    parts: '声音的各部分',
    library: '声音库',
    booth: '克隆',
    speak: '朗读',
    search: '搜索声音',
    type: '声音类型',
    all: '全部',
    mine: '我的',
    official: '官方',
    none: '还没有声音。',
    noneFound: '没有名称类似“{name}”的声音。',
    asOf: '列表时间：{time}',
    never: '从未列出',
    gone: '服务中已不存在',
    refresh: '再次询问服务',
    pick: '选择一个声音来试听。',
  },
} satisfies Pick<Messages, 'voices'>
