/** Limit that a JSON text exceeds. */
type JsonLimit = 'nesting' | 'values'

/**
 * Checks whether brackets of a JSON text are nested too deeply, or there are too many values, before it is parsed: a few
 * megabytes of empty brackets would fill the memory. Strings are ignored.
 */
export function jsonOverLimit(
  json: string,
  max: Readonly<Record<JsonLimit, number>>,
): JsonLimit | null {
  let depth = 0
  let values = 0
  let inText = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (inText) {
      if (code === backslash) at += 1
      else if (code === quote) inText = false
    } else if (code === quote) inText = true
    else if (code === comma) values += 1
    else if (code === openBracket || code === openBrace) {
      depth += 1
      values += 1
      if (depth > max.nesting) return 'nesting'
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    if (values > max.values) return 'values'
  }
  return null
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
