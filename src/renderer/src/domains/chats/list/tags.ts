/** Maximum length of a tag in UTF-16 units, and maximum number of tags per chat. */
const tagBounds = { chars: 64, count: 20 } as const

/** Parses typed tags, separated by Western or Chinese commas: trimmed, deduplicated, up to the maximum number. */
export function readTags(text: string): readonly string[] {
  const tags = text
    .split(/[,，、;；\n]/)
    .map((tag) => tag.trim().replace(/^#/, '').slice(0, tagBounds.chars).trim())
    .filter((tag) => tag !== '')
  return [...new Set(tags)].slice(0, tagBounds.count)
}

/** Adds a tag, or removes it if present. */
export const toggledTag = (tags: readonly string[], tag: string): readonly string[] =>
  tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag].slice(0, tagBounds.count)
