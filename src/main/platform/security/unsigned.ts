/** URL parameters that sign a URL and change with each signature. */
const signing =
  /^(x-.*|.*sign(ature)?|.*expires?(at|in)?|.*token|.*credential|.*accesskeyid|.*publickey|key-pair-id|policy|auth_?key|timestamp|ts?)$/i

/** Removes the signature parameters from a URL; returns any other text unchanged. */
export function unsigned(text: string): string {
  if (!/^https?:\/\/[^\s]*\?/i.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  for (const name of Array.from(url.searchParams.keys()))
    if (signing.test(name)) url.searchParams.delete(name)
  return url.href
}
