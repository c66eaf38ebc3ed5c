/** Saves what an address gives under a name, as the browser saves any file. */
export function saveFile(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}
