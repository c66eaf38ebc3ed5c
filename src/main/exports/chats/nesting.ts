/** Whether brackets of a json stand deeper than `most` in each other; texts are left aside. */
export function nestingOver(json: string, most: number): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (inText) {
      if (code === backslash) at += 1
      else if (code === quote) inText = false
    } else if (code === quote) inText = true
    else if (code === openBracket || code === openBrace) {
      depth += 1
      if (depth > most) return true
    } else if (code === closeBracket || code === closeBrace) depth -= 1
  }
  return false
}

const [quote, backslash] = [0x22, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
