/** Parameters of an address that sign it, and are made anew each time. */
const signing =
  /^(x-.*|.*sign(ature)?|.*expires?(at|in)?|.*token|.*credential|.*accesskeyid|.*publickey|key-pair-id|policy|auth_?key|timestamp|ts?)$/i

/** An address without what signs it; any other text as it is. */
export function unsigned(text: string): string {
  if (!/^https?:\/\/[^\s]*\?/i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  for (const name of Array.from(url.searchParams.keys()))
    if (signing.test(name)) url.searchParams.delete(name)
  return url.href
}
