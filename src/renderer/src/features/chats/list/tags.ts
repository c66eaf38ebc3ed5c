/** Longest tag in UTF-16 units, and the most tags of one conversation. */
export const tagBounds = { chars: 64, count: 20 } as const

/** Reads tags as people type them, apart by commas of either script: trimmed, each once, as many as are taken. */
export function readTags(text: string): readonly string[] {
  const tags = text
    .split(/[,，、;；\n]/)
    .map((tag) => tag.trim().replace(/^#/, '').slice(0, tagBounds.chars).trim())
    .filter((tag) => tag !== '')
  return [...new Set(tags)].slice(0, tagBounds.count)
}

/** Tags with one more, or without it. */
export const toggledTag = (tags: readonly string[], tag: string): readonly string[] =>
  tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag].slice(0, tagBounds.count)
