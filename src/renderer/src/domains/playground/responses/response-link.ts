/** Returns the web link in a free-form object, with its title if it has one; null when it contains none. */
export function linkOf(found: unknown): { readonly url: string; readonly title: string } | null {
  if (typeof found !== 'object' || found === null) return null
  const { link, url, title } = found as Readonly<Record<string, unknown>>
  const address = typeof url === 'string' ? url : link
  if (typeof address !== 'string') return null
  return { url: address, title: typeof title === 'string' ? title : '' }
}
